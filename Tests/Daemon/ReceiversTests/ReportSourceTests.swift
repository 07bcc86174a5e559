import Devices
import LocationModel
import NMEA
import ReceiverSettings
import SentenceWriting
import TestSupport
import Testing

@testable import Receivers

/// The reports of a serial receiver besides fixes.
struct ReportSourceTests {
    private func sentences(_ bodies: [String]) -> [UInt8] {
        var writer = SentenceWriter()
        for body in bodies { writer.add(body) }
        return writer.bytes
    }

    private func epoch(_ second: Int) -> [UInt8] {
        let time = "1203\(second).00"
        return sentences([
            "GPRMC,\(time),A,4730.0000,N,00845.0000,E,12.5,83.4,211126,,,D",
            "GPGGA,\(time),4730.0000,N,00845.0000,E,2,08,0.9,400.0,M,47.0,M,,",
            "GPGST,\(time),3.2,6.6,4.7,47.3,5.8,5.6,22.0",
        ])
    }

    @Test func sentencesAndErrorsOfAFix() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await probe.with { $0.setDemand(ReceiverDemand(), reporting: [.satellites, .sentences]) }
            try await wire.send(epoch(10))
            _ = try await probe.waitForFix()
            #expect(probe.updates.map(\.sentences) == [epoch(10)])
            #expect(probe.updates.map(\.errors?.rangeResiduals) == [3.2])
            // The requested contents outlive the port.
            try await probe.stop()
            probe.forget()
            try await probe.start()
            try await wire.send(epoch(20))
            _ = try await probe.waitForFix()
            #expect(probe.updates.map(\.sentences) == [epoch(10), epoch(20)])
        }
    }

    @Test func aReceiverWithoutAFixSaysSo() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            // Each epoch ends the previous one without waiting for silence.
            var (seconds, sentSoFar) = (0, [UInt8]())
            func sendEpoch() async throws {
                let time = 120_000 + seconds / 60 * 100 + seconds % 60
                let void = sentences(["GPRMC,\(time).00,V,,,,,,,211126,,,N", "GPGSV,1,1,01,04,40,083,46"])
                seconds += 1
                sentSoFar += void
                try await wire.send(void)
            }
            try await sendEpoch()
            try await probe.with { $0.setDemand(ReceiverDemand(), reporting: [.satellites, .sentences]) }
            // Data from before the request is not kept: the first report may have no sentences.
            try await eventually("a report with sentences") {
                try await sendEpoch()
                return probe.updates.contains { $0.sentences?.isEmpty == false }
            }
            #expect(probe.events.contains(.noFix))
            #expect(probe.fixes.isEmpty)
            let sent = try #require(probe.updates.first { $0.sentences?.isEmpty == false }?.sentences)
            let allowed = Set(sentSoFar.split(separator: UInt8(ascii: "\n")))
            #expect(sent.split(separator: UInt8(ascii: "\n")).allSatisfy { allowed.contains($0) })
            #expect(try await probe.with { $0.status.satellites.map(\.number) } == [4])
        }
    }

    /// A receiver says of an epoch that it has no fix: that is known with the epoch, and after the fix before it.
    @Test func anEpochWithoutAFix() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await probe.with { $0.setDemand(ReceiverDemand(), reporting: .satellites) }
            let void = sentences(["GPRMC,120311.00,V,,,,,,,211126,,,N", "GPGGA,120311.00,,,,,0,00,,,M,,M,,"])
            try await wire.send(epoch(10) + void + epoch(12))
            try await eventually("the second fix") { probe.fixes.count == 2 }
            let events = probe.events.map { $0.fix == nil ? "\($0)" : "fix" }
            #expect(events.filter { !$0.hasPrefix("condition") } == ["found", "fix", "noFix", "fix"])
            #expect(events.count { $0.hasPrefix("condition") } == 1)
            // Neither of them waits for silence.
            try await wire.send(sentences(["GPRMC,120313.00,V,,,,,,,211126,,,N"]))
            try await eventually("the end of the last epoch") { probe.events.last == .noFix }
        }
    }

    @Test func nothingIsReportedUnlessItIsWanted() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await wire.send(epoch(10))
            _ = try await probe.waitForFix()
            #expect(probe.updates.allSatisfy { $0.contents.isEmpty && $0.sentences == nil })
            #expect(!probe.events.contains(.noFix))
        }
    }
}
