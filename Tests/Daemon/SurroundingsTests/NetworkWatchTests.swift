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
        let loop = Self.loop
        let address = bus.address
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
