import Foundation
import LocationProtocol
import Positioning
import Testing
import Varlink

/// The real gpsd as the source of fixes.
@Suite(
    "With the real gpsd", .timeLimit(.minutes(4)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd")))
struct GPSDTests {
    /// The locations that a daemon on this receiver gives, until `count` came. `play` is called before each is awaited,
    /// once the receiver is open: what comes faster than it is read would be replaced by newer ones.
    private func locations(_ receiver: String, count: Int, play: (Int) -> Void) async throws -> [Location] {
        let daemon = try await TestDaemon(receivers: [receiver])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await eventually("\(receiver) to be open") {
            let state = try await daemon.call(ListReceivers.self, Nothing()).receivers[0].state
            return state == .searching || state == .running
        }
        var locations: [Location] = []
        while locations.count < count {
            play(locations.count)
            guard let reply = try await updates.next() else { break }
            if let location = reply.update?.location { locations.append(location) }
        }
        return locations
    }

    /// gpsfake plays a log to a gpsd of its own; the same log goes through a pty to the serial receiver.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsfake")))
    func gpsfakeAndTheSamePortGiveTheSameFixes() async throws {
        let count = 60
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let log = folder.path + "/log.nmea"
        try (0..<count).map { Sentences.epoch($0) }.joined().write(toFile: log, atomically: true, encoding: .utf8)

        let wire = try Wire()
        let serial = try await locations("serial:\(wire.path)", count: count) { wire.write(Sentences.epoch($0)) }

        let port = try FreePort.tcp()
        // It plays when the first client has come.
        let gpsfake = try RunningProgram(
            "/usr/bin/gpsfake", ["-q", "-c", "0.05", "-P", "\(port)", log])
        defer { gpsfake.signal(SIGTERM) }
        let gpsd = try await locations("gpsd:127.0.0.1:\(port)", count: 10) { _ in }
        let bySerial = Dictionary(uniqueKeysWithValues: serial.map { ($0.timestamp, $0) })
        var compared = 0
        for location in gpsd {
            guard let other = bySerial[location.timestamp] else { continue }
            compared += 1
            #expect(abs(location.latitude - other.latitude) < 2e-7)
            #expect(abs(location.longitude - other.longitude) < 2e-7)
        }
        #expect(compared >= 8, "\(gpsd.map(\.timestamp)) \(gpsfake.errors)")
        #expect(Set(gpsd.map(\.timestamp)).count == gpsd.count)
    }

    @Test func gpsdKilledAndStartedAgain() async throws {
        let wire = try Wire()
        let port = try FreePort.tcp()
        func gpsd() throws -> RunningProgram {
            try RunningProgram("/usr/sbin/gpsd", ["-N", "-n", "-b", "-S", "\(port)", wire.path])
        }
        var server = try gpsd()
        defer { server.signal(SIGKILL) }
        let daemon = try await TestDaemon(receivers: ["gpsd:127.0.0.1:\(port)"])
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        let events = EventList()
        let reading = Task {
            for try await reply in stream { if let event = reply.update?.event { await events.add(event) } }
        }
        defer { reading.cancel() }
        var second = 0
        func eventuallyLast(_ event: UpdateEvent) async throws {
            try await eventually("\(event)", seconds: 60) {
                wire.offer(Sentences.epoch(second))
                second += 1
                try await Task.sleep(for: .milliseconds(50))
                return await events.all.last == event
            }
        }
        try await eventuallyLast(.location)
        server.signal(SIGKILL)
        try await eventuallyLast(.receiverLost)
        server = try gpsd()
        try await eventuallyLast(.location)
        #expect(await events.all.contains(.receiverFound))
    }
}

private actor EventList {
    private(set) var all: [UpdateEvent] = []
    func add(_ event: UpdateEvent) { all.append(event) }
}

/// A port of the loopback interface on which nothing listens.
private enum FreePort {
    static func tcp() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) < 0 || getsockname(descriptor, $0, &length) < 0
            }
        }
        guard descriptor >= 0, !failed else { throw Overdue(what: "a free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
