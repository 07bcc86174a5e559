import Devices
import LocationModel
import NIOCore
import SentenceWriting
import TestSupport
import Testing

@testable import Receivers

/// Headings, from the bytes on the serial port to the receiver's event.
struct HeadingSourceTests {
    private static let clock = Timestamp(millisecondsSince1970: 1_773_480_500_250)

    private func sentences(_ bodies: String...) -> [UInt8] {
        var writer = SentenceWriter()
        for body in bodies { writer.add(body) }
        return writer.bytes
    }

    private func heading(magnetic: Double?, true trueHeading: Double?, accuracy: Double? = nil) -> Heading {
        var heading = Heading(timestamp: Self.clock)
        heading.magneticHeading = magnetic
        heading.trueHeading = trueHeading
        heading.accuracy = accuracy
        return heading
    }

    @Test func aCompassOnASerialPortProducesHeadingsOnly() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), clock: { Self.clock }) { probe in
            #expect(try await probe.with { $0.hasCompass } == nil)
            try await wire.send(
                sentences(
                    "HCHDG,100,,,2,E", "HEHDT,101.5,T", "PASHR,130533.620,103.5,T,-0.01,+0.2,+0.0,0.1,0.1,0.4,1,0"))
            let headings = try await probe.wait(for: "headings") { $0.headings(3) }
            #expect(
                headings == [
                    heading(magnetic: 100, true: 102), heading(magnetic: 99.5, true: 101.5),
                    heading(magnetic: 101.5, true: 103.5, accuracy: 0.4),
                ])
            let (hasCompass, state) = try await probe.with { ($0.hasCompass, $0.state) }
            #expect(hasCompass == true)
            #expect(state == .waitingForFix)

            // After stop and start, the compass is still known, but its variation is not.
            try await probe.stop()
            probe.forget()
            try await probe.start()
            try await wire.send(sentences("HEHDT,101.5,T"))
            let again = try await probe.wait(for: "heading") { $0.lazy.compactMap(\.heading).first }
            #expect(again == heading(magnetic: nil, true: 101.5))
            #expect(try await probe.with { $0.hasCompass } == true)
        }
    }

    /// The antennas of a moving base are across the device: the second one is on its right.
    @Test func theOffsetTurnsTheDirectionOfTwoAntennas() async throws {
        let wire = try Wire()
        let probe = try await ReceiverProbe(
            .serial(path: wire.path, baudRate: 9600), headingOffset: -90, clock: { Self.clock })
        try await withReceiver(probe) { probe in
            var antennas = Payload(64)
            antennas.set(0, UInt8(1))
            antennas.set(20, Int32(123))
            antennas.set(24, Int32(7_750_000))
            antennas.set(52, UInt32(25_000))
            antennas.set(60, UInt32(311))
            try await wire.send(
                ubx(0x01_3C, antennas.bytes)
                    + sentences("HEHDT,101.5,T", "HCHDG,90,,,2,E", "HEHDT,90,T", "HEHDT,123.4,T"))
            let headings = try await probe.wait(for: "headings") { $0.headings(5) }
            #expect(
                headings == [
                    heading(magnetic: nil, true: 347.5, accuracy: 0.25), heading(magnetic: nil, true: 11.5),
                    heading(magnetic: 0, true: 2), heading(magnetic: 358, true: 0),
                    heading(magnetic: 31.4, true: 33.4),
                ])
        }
    }

    @Test func theHandlerMayStopTheReceiverFromWithin() async throws {
        let wire = try Wire()
        let probe = try await ReceiverProbe(.serial(path: wire.path, baudRate: 9600))
        try await probe.start(stoppingAt: { _ in true })
        try await wire.send(sentences("HCHDM,100,M", "HCHDM,101,M"))
        _ = try await probe.wait(for: "heading") { $0.first }
        let state = try await probe.with { receiver in
            receiver.delegate = nil
            return receiver.state
        }
        #expect(state == .stopped)
        #expect(probe.events.compactMap(\.heading?.magneticHeading) == [100])
        try await probe.shutDown()
    }

    @Test func whatGpsdReportsAboutTheAttitudeBecomesHeadings() async throws {
        let server = try await FakeGPSD(greeting: "{\"class\":\"VERSION\",\"release\":\"3.25\"}\n")
        try await withReceiver(.gpsd(host: "127.0.0.1", port: server.port), clock: { Self.clock }) { probe in
            try await probe.wait(for: "request") { _ in server.request.hasSuffix("\n") ? () : nil }
            server.say(
                """
                {"class":"ATT","device":"/dev/a","time":"2026-03-14T09:26:53.000Z","heading":101.5,"pitch":1.5}
                {"class":"ATT","device":"/dev/b","heading":7.0}
                {"class":"ATT","device":"/dev/a",,"time":"2026-03-14T09:26:53.000Z""mheading":98.25,"pitch":1.5}
                {"class":"ATT","device":"/dev/a","heading":14223.00,"mag_st":"N"}
                {"class":"ATT","device":"/dev/a","pitch":1.5}
                {"class":"ATT","device":"/dev/a","heading":102.5,"mheading":98.5,"rot":1.0}
                {"class":"TPV","device":"/dev/c","mode":1,"magvar":-3.5}
                {"class":"ATT","device":"/dev/a","heading":103.5}

                """)
            let headings = try await probe.wait(for: "headings") { $0.headings(4) }
            #expect(
                headings == [
                    heading(magnetic: nil, true: 101.5), heading(magnetic: 98.25, true: 101.5),
                    heading(magnetic: 98.5, true: 102.5), heading(magnetic: 107, true: 103.5),
                ])
            #expect(try await probe.with { $0.state } == .waitingForFix)
        }
        try await server.shutDown()
    }

    @Test func anotherCompassOfGpsdsIsFollowedWhenTheFirstOneIsSilent() {
        var headings = GPSDHeadings()
        let reports: [(seconds: UInt64, device: String)] = [
            (0, "a"), (1, "b"), (3, "a"), (6, "b"), (7, "b"), (8, "a"), (11, "b"),
        ]
        let followed = reports.filter { report in
            headings.heading(
                GPSDReport.Attitude(device: report.device, trueHeading: 1),
                at: .uptimeNanoseconds(report.seconds * 1_000_000_000), timestamp: Self.clock) != nil
        }
        #expect(followed.map(\.seconds) == [0, 3, 7, 11])
    }

    /// gpsd 3.22 reports no attitude for HDT, HDG, HDM and PASHR, only for compasses with sentences of their own,
    /// such as True North's. With a receiver that sends GST, as here, the report is malformed.
    @Test(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
    func aCompassOnTheRealGpsd() async throws {
        let wire = try Wire()
        let daemon = try GPSDaemon(on: try ReservedPort(), wires: [wire])
        try await withReceiver(.gpsd(host: "127.0.0.1", port: daemon.port), clock: { Self.clock }) { probe in
            try await probe.waitUntilOpen()
            let compass = sentences(
                "HEHDT,142.3,T", "HCHDG,140.3,,,2,E", "PTNTHTM,142.3,N,16.9,N,-4.3,N,136.41,2454")
            let player = try await GPSDPlayer(wire, port: daemon.port)
            for epoch in Journey(count: 20).epochs { try await player.play(epoch + compass) }
            let told = try await probe.wait(for: "heading") { $0.lazy.compactMap(\.heading).first }
            #expect(told.trueHeading == 142.3)
            #expect(told.timestamp == Self.clock)
            #expect(try await probe.with { $0.hasCompass } == true)
        }
        try await daemon.kill()
    }
}
