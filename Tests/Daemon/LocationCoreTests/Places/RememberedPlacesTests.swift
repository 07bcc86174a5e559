import Bus
import EventLoopSupport
import Foundation
import LocationModel
import Logging
import NIOCore
import NIOPosix
import Positioning
import Surroundings
import TestSupport
import Testing

@testable import LocationCore

/// The files of remembered places and of emitters that move.
@Suite struct RememberedPlacesTests {
    private static let secret = [UInt8](0..<32)
    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The parts of one run of the daemon.
    private final class Run {
        let surroundings: Surroundings
        let places: RememberedPlaces
        let files: PlaceFiles

        init(in folder: String, on loop: any EventLoop) throws {
            let clock = { Timestamp(millisecondsSince1970: 1_780_315_200_000) }
            let (secret, log) = (RememberedPlacesTests.secret, RememberedPlacesTests.log)
            let bus = Bus(address: "unix:path=/nonexistent", poller: try DescriptorPoller(on: loop), on: loop)
            surroundings = Surroundings(secret, bus: bus, on: loop, now: { 0 })
            places = RememberedPlaces(
                surroundings, receivers: ReceiverControl([], on: loop, clock: clock, log: log),
                retention: RetentionTime(reached: nil, on: loop, clock: clock), in: folder, secret: secret, on: loop,
                clock: clock, log: log)
            files = PlaceFiles(in: folder, secret: secret, maximumLength: 1000, on: loop, log: log)
        }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func run() async throws -> NIOLoopBound<Run> {
        let (loop, path) = (loop, folder.path)
        return try await loop.submit { NIOLoopBound(try Run(in: path, on: loop), eventLoop: loop) }.get()
    }

    /// Starts it, and waits until everything is read.
    private func start(_ run: NIOLoopBound<Run>, isEnabled: Bool) async throws {
        try await loop.flatSubmit {
            run.value.places.start(isEnabled: isEnabled)
            return run.value.places.stop()
        }.get()
    }

    @Test func emittersThatMoveOutlastARestart() async throws {
        let first = try await run()
        try await start(first, isEnabled: false)
        #expect(names.isEmpty)
        try await loop.flatSubmit {
            first.value.surroundings.onMobileEmitters?([7, 9])
            return first.value.places.stop()
        }.get()
        #expect(names.count == 1)
        let second = try await run()
        // One that was found before the others are read.
        try await loop.submit { second.value.surroundings.mobileEmitters = [9, 11] }.get()
        try await start(second, isEnabled: false)
        #expect(try await loop.submit { second.value.surroundings.mobileEmitters }.get() == [7, 9, 11])
        // An administrator has them forgotten.
        try await loop.flatSubmit { second.value.places.clear() }.get()
        #expect(try await loop.submit { second.value.surroundings.mobileEmitters }.get().isEmpty && names.isEmpty)
    }

    /// Attack: places are no longer to be remembered, and a thief finds those from before.
    @Test func attackPlacesAreErasedOnceTheyAreNotRemembered() async throws {
        let first = try await run()
        try await loop.flatSubmit { first.value.files.write([1], as: .places) }.get()
        try await loop.flatSubmit { first.value.files.write(EmitterList(ids: [7]).bytes, as: .mobileEmitters) }.get()
        #expect(names.count == 2)
        let second = try await run()
        try await start(second, isEnabled: true)
        #expect(names.count == 2)
        #expect(try await loop.submit { second.value.places.summary?.count }.get() == 0)
        let third = try await run()
        try await start(third, isEnabled: false)
        #expect(names.count == 1)
        #expect(try await loop.submit { third.value.surroundings.mobileEmitters }.get() == [7])
        #expect(try await loop.submit { third.value.places.summary?.count }.get() == nil)
    }

    /// Attack: a user has everything forgotten while the files are being read, and what is read brings it back.
    @Test func attackWhatIsReadDuringAClearIsNotUsed() async throws {
        let first = try await run()
        let memory = try #require(Self.memory)
        try await loop.flatSubmit { first.value.files.write(memory, as: .places) }.get()
        try await loop.flatSubmit { first.value.files.write(EmitterList(ids: [7]).bytes, as: .mobileEmitters) }.get()
        let second = try await run()
        try await loop.flatSubmit {
            second.value.places.start(isEnabled: true)
            return second.value.places.clear().flatMap { second.value.places.stop() }
        }.get()
        #expect(try await loop.submit { second.value.places.summary?.count }.get() == 0)
        #expect(try await loop.submit { second.value.surroundings.mobileEmitters }.get().isEmpty && names.isEmpty)
    }

    /// Attack: after a fix elsewhere, the receiver is unplugged or the idle daemon ends, and imitated networks name a
    /// place.
    @Test func attackAFixElsewhereOutlastsItsReceiver() async throws {
        let first = try await run()
        let memory = try #require(Self.memory)
        try await loop.flatSubmit { first.value.files.write(memory, as: .places) }.get()
        let second = try await run()
        try await start(second, isEnabled: true)
        let eventLoop = loop
        let (before, after) = try await eventLoop.submit {
            let places = second.value.places
            let scan = ([1, 2, 3] as [UInt64]).map { SurroundingsReport.Emitter(id: $0, strength: 0.8) }
            second.value.surroundings.onReport?(SurroundingsReport(scan: scan, links: []))
            let before = (isGiven: places.find() != nil, keepsFix: places.keepsFix)
            let elsewhere = Location(
                timestamp: Timestamp(millisecondsSince1970: 1_780_315_200_000), latitude: 1, longitude: 0)
            places.keep(elsewhere, receivedAt: eventLoop.now)
            return (before, (isGiven: places.find() != nil, keepsFix: places.keepsFix))
        }.get()
        #expect(before.isGiven && !before.keepsFix)
        #expect(!after.isGiven && after.keepsFix)
        try await loop.flatSubmit { second.value.places.stop() }.get()
    }

    /// Attack: the networks cannot be read, and a user believes that the machine has forgotten the place.
    @Test func attackAPlaceIsNotSaidToBeForgottenWithoutSurroundings() async throws {
        let run = try await run()
        try await start(run, isEnabled: true)
        try await loop.submit { run.value.surroundings.isEnabled = false }.get()
        await #expect(throws: SurroundingsUnknown.self) {
            try await loop.flatSubmit { run.value.places.clearHere() }.get()
        }
        try await loop.submit {
            let heard = SurroundingsReport(scan: [.init(id: 1, strength: 0.8)], links: [])
            run.value.surroundings.onReport?(heard)
        }.get()
        #expect(try await loop.flatSubmit { run.value.places.clearHere() }.get() == 0)
    }

    /// A memory of one place, as bytes: at 0 degrees, with three emitters.
    private static let memory: [UInt8]? = {
        var bytes: [UInt8] = [1] + [UInt8](repeating: 0, count: 8) + [65, 0, 200, 80, 3]
        for id in 1...3 as ClosedRange<UInt8> { bytes += [id] + [UInt8](repeating: 0, count: 7) + [200] }
        return PlaceMemory(bytes: bytes) == nil ? nil : bytes
    }()

    /// Attack: a user without a grant asks where there is no receiver, or watches an idle daemon end, and learns if the
    /// machine was at a place with another user. With places or without, programs wait, and so does the daemon.
    @Test(arguments: [true, false]) func attackWhetherThereIsAPlaceIsNotSeen(hasPlace: Bool) async throws {
        let first = try await run()
        let memory = try #require(Self.memory)
        if hasPlace { try await loop.flatSubmit { first.value.files.write(memory, as: .places) }.get() }
        let second = try await run()
        try await start(second, isEnabled: true)
        let eventLoop = loop
        let (isEnabled, keepsFix) = try await eventLoop.submit {
            let places = second.value.places
            #expect(places.summary?.count == (hasPlace ? 1 : 0))
            let fix = Location(
                timestamp: Timestamp(millisecondsSince1970: 1_780_315_200_000), latitude: 1, longitude: 0)
            places.keep(fix, receivedAt: eventLoop.now)
            return (places.isEnabled, places.keepsFix)
        }.get()
        #expect(isEnabled && keepsFix)
        try await loop.flatSubmit { second.value.places.stop() }.get()
    }

    @Test func nothingIsKeptUnlessPlacesAreRemembered() async throws {
        let run = try await run()
        try await start(run, isEnabled: false)
        let eventLoop = loop
        let (isEnabled, keepsFix) = try await eventLoop.submit {
            let places = run.value.places
            let fix = Location(
                timestamp: Timestamp(millisecondsSince1970: 1_780_315_200_000), latitude: 1, longitude: 0)
            places.keep(fix, receivedAt: eventLoop.now)
            return (places.isEnabled, places.keepsFix)
        }.get()
        #expect(!isEnabled && !keepsFix)
    }

    /// A file that is of another version, or damaged, costs the places, not the start.
    @Test func whatCannotBeReadIsForgotten() async throws {
        let first = try await run()
        try await loop.flatSubmit { first.value.files.write([2, 3], as: .places) }.get()
        try await loop.flatSubmit { first.value.files.write([1, 2, 3], as: .mobileEmitters) }.get()
        let second = try await run()
        try await start(second, isEnabled: true)
        #expect(try await loop.submit { second.value.places.summary?.count }.get() == 0)
        #expect(try await loop.submit { second.value.surroundings.mobileEmitters }.get().isEmpty)
    }
}
