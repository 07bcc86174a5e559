import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The real gpsd as the source of fixes.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: GPSDaemon.isInstalled))
struct GPSDTests {
    /// The first daemon reads the receiver through gpsd, the second one at the serial port itself. Both are sent the
    /// same epochs.
    @Test func gpsdAndThePortGiveTheSameFixes() async throws {
        var second = 0
        var seconds: [String: Int] = [:]
        let locations = try await locationsThroughGPSD(10) {
            seconds[Sentences.timestamp(second)] = second
            defer { second += 1 }
            return Sentences.epoch(second)
        }
        #expect(Set(locations.map(\.timestamp)).count == locations.count)

        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await daemon.waitUntilOpen()
        for location in locations {
            let second = try #require(seconds[location.timestamp.description])
            let other = try #require(try await daemon.location(ofEpoch: second, on: wire, in: &updates))
            #expect(other.timestamp == location.timestamp)
            #expect(abs(location.latitude - other.latitude) < 2e-7)
            #expect(abs(location.longitude - other.longitude) < 2e-7)
        }
    }

    /// Returns the first locations that a daemon delivers from a gpsd, which is sent epochs until there are `count`.
    private func locationsThroughGPSD(_ count: Int, epoch: () -> String) async throws -> [Location] {
        let wire = try Wire()
        let server = try GPSDaemon(on: try ReservedPort(), wires: [wire])
        let daemon = try await TestDaemon(receivers: ["gpsd:127.0.0.1:\(server.port)"])
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        let updates = UpdateList()
        let reading = Task {
            for try await reply in stream { if let update = reply.update { await updates.add(update) } }
        }
        defer { reading.cancel() }
        try await eventually("\(count) locations") {
            wire.offer(epoch())
            return await updates.locations.count >= count
        }
        return Array(await updates.locations.prefix(count))
    }

    @Test func gpsdKilledAndStartedAgain() async throws {
        let wire = try Wire()
        let port = try ReservedPort()
        var server = try GPSDaemon(on: port, wires: [wire])
        let daemon = try await TestDaemon(receivers: ["gpsd:127.0.0.1:\(port.number)"])
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        let updates = UpdateList()
        let reading = Task {
            for try await reply in stream { if let update = reply.update { await updates.add(update) } }
        }
        defer { reading.cancel() }
        var second = 0
        func eventuallyLast(_ event: UpdateEvent) async throws {
            try await eventually("\(event)") {
                wire.offer(Sentences.epoch(second))
                second += 1
                return await updates.all.last?.event == event
            }
        }
        try await eventuallyLast(.location)
        try await server.kill()
        try await eventuallyLast(.receiverLost)
        server = try GPSDaemon(on: port, wires: [wire])
        try await eventuallyLast(.location)
        #expect(await updates.all.contains { $0.event == .receiverFound })
    }
}

private actor UpdateList {
    private(set) var all: [Update] = []
    var locations: [Location] { all.compactMap(\.location) }
    func add(_ update: Update) { all.append(update) }
}
