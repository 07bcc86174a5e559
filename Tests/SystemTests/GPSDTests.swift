import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The real gpsd as the source of fixes.
@Suite(
    "With the real gpsd", .timeLimit(.minutes(15)),
    .enabled(if: GPSDaemon.isInstalled))
struct GPSDTests {
    /// Returns the first `count` locations that a daemon delivers from this receiver. Calls `play` before it waits
    /// for each of them, once the receiver is open. Updates that come faster than they are read would be replaced by
    /// newer ones.
    private func locations(_ receiver: String, count: Int, play: (Int) -> Void) async throws -> [Location] {
        let daemon = try await TestDaemon(receivers: [receiver])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        var locations: [Location] = []
        while locations.count < count {
            // Each time: a receiver that was silent for five seconds, because nobody ran, is closed and opened again.
            try await daemon.waitUntilOpen()
            play(locations.count)
            guard let reply = try await updates.next() else { break }
            if let location = reply.update?.location { locations.append(location) }
        }
        return locations
    }

    /// gpsfake plays a log to a gpsd of its own. The same log goes to the serial receiver through a pty.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsfake")))
    func gpsfakeAndTheSamePortGiveTheSameFixes() async throws {
        let count = 60
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let log = folder.path + "/log.nmea"
        try (0..<count).map { Sentences.epoch($0) }.joined().write(toFile: log, atomically: true, encoding: .utf8)

        let wire = try Wire(sendsTexts: true)
        let serial = try await locations("serial:\(wire.path)@9600", count: count) { wire.write(Sentences.epoch($0)) }

        let port = try ReservedPort()
        // gpsfake begins to play when the first client connects.
        let gpsfake = try RunningProgram(
            "/usr/bin/gpsfake", ["-q", "-c", "0.05", "-P", "\(port.number)", log])
        let gpsd = try await locations("gpsd:127.0.0.1:\(port.number)", count: 10) { _ in }
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
        let port = try ReservedPort()
        var server = try GPSDaemon(on: port, wires: [wire])
        let daemon = try await TestDaemon(receivers: ["gpsd:127.0.0.1:\(port.number)"])
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        let events = EventList()
        let reading = Task {
            for try await reply in stream { if let event = reply.update?.event { await events.add(event) } }
        }
        defer { reading.cancel() }
        var second = 0
        func eventuallyLast(_ event: UpdateEvent) async throws {
            try await eventually("\(event)") {
                wire.offer(Sentences.epoch(second))
                second += 1
                try await Task.sleep(for: .milliseconds(50))
                return await events.all.last == event
            }
        }
        try await eventuallyLast(.location)
        try await server.kill()
        try await eventuallyLast(.receiverLost)
        server = try GPSDaemon(on: port, wires: [wire])
        try await eventuallyLast(.location)
        #expect(await events.all.contains(.receiverFound))
    }
}

private actor EventList {
    private(set) var all: [UpdateEvent] = []
    func add(_ event: UpdateEvent) { all.append(event) }
}
