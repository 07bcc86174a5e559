import LocationModel
import NIOCore
import Receivers
import Testing

@testable import GPSDFront
@testable import LocationCore
@testable import NMEA

@Suite struct EpochMessagesTests {
    @Test func theOrderOfMessages() {
        var errors = PositionErrors()
        (errors.rangeResiduals, errors.semiMajorAxis, errors.latitude) = (3.2, 6.6, 5.8)
        let report = ReceiverUpdate(
            receiver: "a", fix: Samples.report().fix, receivedAt: .distantPast, satellites: Samples.satellites,
            errors: errors,
            sentences: Array("$GPGSV,1\r\n".utf8))
        let messages = EpochMessages(Samples.location, report: report, isReduced: false, device: "/dev/a")
        let json = messages.json.lines
        #expect(json.count == 3 && json[0].hasPrefix(#"{"class":"TPV","#) && json[2].hasPrefix(#"{"class":"SKY","#))
        #expect(
            json[1] == #"{"class":"GST","device":"/dev/a","time":"2026-11-21T12:03:10.000Z","rms":3.200,"#
                + #""major":6.600,"lat":5.800}"#)
        let all = messages.messages(for: WatchPolicy(json: true, nmea: true))
        #expect(all?.lines == ["$GPGSV,1"] + json)
        #expect(all?.text.hasSuffix("}\r\n") == true)
    }

    @Test func whatAPolicyGets() {
        let epoch = Samples.epoch()
        #expect(epoch.messages(for: WatchPolicy()) == nil)
        #expect(epoch.messages(for: WatchPolicy(json: true)) == epoch.json)
        for policy in [WatchPolicy(nmea: true), WatchPolicy(raw: 1), WatchPolicy(nmea: true, raw: 2)] {
            #expect(epoch.messages(for: policy)?.lines == ["$GPGSV,1"])
        }
    }

    /// Attack: satellites, altitude or motion tell a client with reduced accuracy where in its cell it is.
    @Test func aReducedLocationHasNothingElse() {
        let messages = Samples.cellMessages()
        #expect(messages.json.lines.count == 1)
        for word in ["SKY", "GST", "alt", "track", "speed", "epv", "dop", "PRN"] {
            #expect(!messages.sentencesAndJSON.text.contains(word))
        }
        #expect(
            messages.sentences.lines
                == [
                    "$GPRMC,120310.00,A,4730.00000,S,00845.00000,W,,,211126,,,A*75",
                    "$GPGGA,120310.00,4730.00000,S,00845.00000,W,1,,99.99,,M,,M,,*41",
                ].map(Self.withChecksum))
        #expect(messages.reports.sky == SkyMessage() && messages.reports.errors == nil)
    }

    /// A receiver that speaks another protocol, such as a gpsd.
    @Test func sentencesOfAReceiverWithoutAny() {
        let messages = EpochMessages(Samples.location, report: Samples.report(), isReduced: false, device: nil)
        #expect(
            messages.sentences.lines
                == [
                    "$GPRMC,120310.00,A,4730.00000,N,00845.00000,E,12.501,83.4,211126,,,A*",
                    "$GPGGA,120310.00,4730.00000,N,00845.00000,E,1,,0.40,400.00,M,47.00,M,,*",
                ].map(Self.withChecksum))
        // They are not the bytes of the receiver.
        #expect(messages.messages(for: WatchPolicy(raw: 2)) == nil)
        #expect(messages.messages(for: WatchPolicy(json: true, raw: 2)) == messages.json)
    }

    /// A location without a report, as right after the accuracy has changed, is no reason for sentences of our own.
    @Test func noSentencesWithoutAReport() {
        let messages = EpochMessages(Samples.location, report: nil, isReduced: false, device: nil)
        #expect(messages.messages(for: WatchPolicy(nmea: true)) == nil)
    }

    @Test func aReceiverWithoutAFix() {
        let report = ReceiverUpdate(receiver: "a", fix: nil, receivedAt: .distantPast, satellites: Samples.satellites)
        let messages = EpochMessages(withoutFix: report, device: "/dev/a")
        #expect(messages.json.lines.first == #"{"class":"TPV","device":"/dev/a","mode":1}"#)
        #expect(messages.json.lines.count == 2)
        // Receivers stop reporting it when the fix is lost.
        #expect(messages.json.lines[1].contains(#""uSat":0,"#) && !messages.json.text.contains(#""used":true"#))
        #expect(messages.messages(for: WatchPolicy(nmea: true)) == nil)
    }

    /// Returns a sentence with its checksum.
    private static func withChecksum(_ sentence: String) -> String {
        let body = sentence.dropFirst().prefix { $0 != "*" }
        let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
