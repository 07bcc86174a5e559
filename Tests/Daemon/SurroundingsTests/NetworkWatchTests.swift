import Bus
import EventLoopSupport
import NIOCore
import NIOPosix
import Positioning
import TestSupport
import Testing

@testable import Surroundings

/// The readings of NetworkManager on a real bus, which dbus-daemon runs. NetworkManager is a double.
@Suite(.timeLimit(.minutes(15)), .enabled(if: NetworkManagerDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct NetworkWatchTests {
    private static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private static let home = (0..<3).map { NetworkManagerDouble.AccessPoint("3C:A6:2F:01:0\($0):10") }

    /// The parts that are confined to the loop.
    private final class Parts {
        let bus: Bus
        let poller: DescriptorPoller
        var watch: NetworkWatch?
        var reports: [SurroundingsReport] = []

        init(_ address: String, on loop: any EventLoop) throws {
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            watch = NetworkWatch(EmitterHash(secret: Array(0..<32)), bus: bus, on: loop, neighbours: { "" }) {
                [unowned self] in reports.append($0)
            }
            watch?.start()
        }

        /// Asks for two scans, of which NetworkManager makes one.
        func scan() {
            watch?.scan()
            watch?.scan()
        }

        func stop() {
            watch?.stop()
            bus.stop()
            poller.stop()
        }
    }

    /// Runs a watch on a bus, and stops it.
    private func run(
        on bus: PrivateBus, scans: Bool = false,
        _ body: (_ reports: () async throws -> [SurroundingsReport]) async throws -> Void
    ) async throws {
        try await run(at: bus.address, scans: scans, body)
    }

    private func run(
        at address: String, scans: Bool = false,
        _ body: (_ reports: () async throws -> [SurroundingsReport]) async throws -> Void
    ) async throws {
        let loop = Self.loop
        let parts = try await loop.submit { NIOLoopBound(try Parts(address, on: loop), eventLoop: loop) }.get()
        do {
            try await body {
                try await loop.submit {
                    if scans, !parts.value.reports.isEmpty { parts.value.scan() }
                    return parts.value.reports
                }.get()
            }
        } catch {
            try await loop.submit { parts.value.stop() }.get()
            throw error
        }
        try await loop.submit { parts.value.stop() }.get()
    }

    @Test func eachScanIsReadOnce() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home)
        try await run(on: bus) { reports in
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
            // One that is new, one that is gone, and none of both.
            for heard in [Self.home + [.init("3C:A6:2F:01:09:10")], Self.home, Self.home] {
                let before = networks.readings
                try networks.set(heard: heard)
                try await networks.waitForReadings(before + 1)
                try await eventually("a report") { try await reports().last?.scan?.count == heard.count }
            }
        }
    }

    @Test func connectionsAreReportedAsTheyBeginAndEnd() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home)
        try await run(on: bus) { reports in
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
            try networks.set(own: Self.home[0].address)
            try await eventually("a connection") { try await reports().last?.links.count == 1 }
            try networks.set(own: "")
            try await eventually("its end") { try await reports().last?.links.isEmpty == true }
        }
    }

    @Test func oneThatEndsIsNotHeardAndFoundAgain() async throws {
        let bus = try await PrivateBus()
        try await run(on: bus) { reports in
            try await eventually("no NetworkManager") { try await reports().last == SurroundingsReport() }
            for _ in 0..<2 {
                let networks = try await NetworkManagerDouble(on: bus)
                try networks.set(heard: Self.home, own: Self.home[0].address)
                try await eventually("a connection") { try await reports().last?.links.count == 1 }
                try await networks.kill()
                try await eventually("the end") { try await reports().last == SurroundingsReport() }
            }
        }
    }

    /// The daemon may start before the bus at boot.
    @Test func aBusThatStartsLaterIsFound() async throws {
        let folder = try TemporaryFolder()
        try await run(at: "unix:path=\(folder.path)/bus") { reports in
            try await eventually("no bus") { try await reports().last == SurroundingsReport() }
            let bus = try await PrivateBus(in: folder)
            let networks = try await NetworkManagerDouble(on: bus)
            try networks.set(heard: Self.home)
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
        }
    }

    /// Attack: a program has NetworkManager scan all the time, or signals come by the hundred. They are read once in
    /// ten seconds.
    @Test func attackManyScansAreReadOnce() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home)
        try await run(on: bus) { reports in
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
            let before = networks.readings
            for count in 4..<24 {
                try networks.set(heard: (0..<count).map { .init("3C:A6:2F:04:\(10 + $0):10") })
            }
            try await eventually("the last scan") {
                // The signals about scans are asked for after the first reading.
                try networks.set(heard: (0..<23).map { .init("3C:A6:2F:04:\(10 + $0):10") })
                return try await reports().last?.scan?.count == 23
            }
            #expect(networks.readings == before + 1)
        }
    }

    /// The verdicts on NetworkManager's signals.
    private final class Verdicts {
        let bus: Bus
        let poller: DescriptorPoller
        let network: BusService
        var isReady = false
        var all: [Bool] = []

        init(_ address: String, on loop: any EventLoop) throws {
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            network = BusService(NetworkManager.service, on: bus, signals: [""])
            network.onEvent = { [unowned self] in if case .found = $0 { isReady = true } }
            network.onSignal = { [unowned self] in all.append(NetworkObject.isRelevant($0)) }
            network.open()
        }
    }

    /// Its properties change every few seconds while the machine is connected.
    @Test func onlySignalsAboutScansAndConnectionsAreRelevant() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        let (loop, address) = (Self.loop, bus.address)
        let verdicts = try await loop.submit { NIOLoopBound(try Verdicts(address, on: loop), eventLoop: loop) }.get()
        func all() async throws -> [Bool] { try await loop.submit { verdicts.value.all }.get() }
        try await eventually("NetworkManager") { try await loop.submit { verdicts.value.isReady }.get() }
        try networks.setSpeed()
        try await eventually("signals") { try await all() == [false, false, false] }
        try networks.set(heard: Self.home, own: Self.home[0].address)
        try await eventually("signals") { try await all().count == 8 }
        #expect(try await all().dropFirst(3).allSatisfy { $0 })
        try await loop.submit {
            verdicts.value.bus.stop()
            verdicts.value.poller.stop()
        }.get()
    }

    /// However often the daemon wants one.
    @Test func aScanIsRequestedOnceInFiveMinutes() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        try await run(on: bus, scans: true) { reports in
            try await eventually("a scan") {
                _ = try await reports()
                return networks.scans == 1
            }
            let before = networks.readings
            try networks.set(own: "")
            try await networks.waitForReadings(before + 1)
            _ = try await reports()
            #expect(networks.scans == 1)
        }
    }

    /// Attack: thousands of access points, so that reading them delays others' fixes. They are not read.
    @Test func attackThousandsOfAccessPoints() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home)
        try await run(on: bus) { reports in
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
            let many = (0..<5000).map { number in
                let bytes = [number >> 8, number & 255].map { String($0 + 256, radix: 16).suffix(2) }
                return NetworkManagerDouble.AccessPoint(
                    "3C:A6:2F:\(bytes[0]):\(bytes[1]):10", name: "\u{1B}[2J\u{0}'\"")
            }
            try networks.set(heard: many)
            try await eventually("an empty report") { try await reports().last == SurroundingsReport() }
            try networks.set(heard: Self.home)
            try await eventually("a report") { try await reports().last?.scan?.count == 3 }
        }
    }
}
