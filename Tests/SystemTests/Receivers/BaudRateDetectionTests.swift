import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A serial port whose baud rate is not configured, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct BaudRateDetectionTests {
    @Test func theSpeedIsShownOnceItIsFound() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await eventually("the search") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].detecting == true
        }
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers[0].baudRate == nil)
        // Again and again: after five seconds of silence, the port is closed for half a second.
        try await eventually("the search in the table") {
            try await daemon.ctl("receivers").output.contains("detecting")
        }

        // Bytes that arrive right after a change of the settings do not count.
        var second = 0
        try await eventually("the settings to be found") {
            wire.offer(Sentences.epoch(second))
            second += 1
            let receiver = try await daemon.call(ListReceivers.self, .init()).receivers[0]
            return receiver.detecting == false && receiver.state == .running
        }
        wire.startKeepAlive()
        while let update = try await updates.next()?.update, update.event != .location {}
        // A pseudo-terminal can be read at any baud rate.
        var receiver = try await daemon.call(ListReceivers.self, .init()).receivers[0]
        try await eventually("the port to be open with these settings") {
            receiver = try await daemon.call(ListReceivers.self, .init()).receivers[0]
            return receiver.detecting == false && receiver.baudRate != nil
        }
        #expect(receiver.framing == "8N1")
        let rate = try #require(receiver.baudRate)
        let table = try await daemon.ctl("receivers").output
        #expect(table.contains("BAUD") && table.contains(" \(rate) "), "\(table)")
    }
}
