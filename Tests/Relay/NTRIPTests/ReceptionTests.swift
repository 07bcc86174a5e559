import RTCM
import TestSupport
import Testing

@testable import NTRIP

/// The status line about the corrections that arrive.
@Suite struct ReceptionTests {
    @Test func aLineEveryFiveSecondsSaysWhatArrives() {
        let frames = RTCMFrames.message(1077, station: 2003) + RTCMFrames.referencePoint
        var reception = Reception(of: "BASE", at: 0)
        var delimiter = RTCMDelimiter()
        var lines: [String] = []
        for second in 1...10 {
            delimiter.receive(frames.span.bytes) { frame, bytes in
                // The first frame of a second arrives a moment before it.
                let now = Double(second) - (frame.number == 1077 ? 0.001 : 0)
                if let line = reception.add(frame, length: bytes.count, at: now) { lines.append(line) }
            }
        }
        let line = "Receiving corrections of BASE: messages 1005 1077 from station 2003, \(frames.count) bytes/s"
        #expect(lines == [line, line])
    }

    /// Attack: every user reads the line, and a distance to a known station is a circle around the machine.
    @Test func aDistanceIsOnlySaidToBeTooGreat() {
        var reception = Reception(of: "BASE", at: 0)
        reception.exceededLimit = 35
        var delimiter = RTCMDelimiter()
        let bytes = RTCMFrames.referencePoint
        delimiter.receive(bytes.span.bytes) { frame, bytes in
            let line = reception.add(frame, length: bytes.count, at: 5)
            #expect(line?.hasSuffix("from station 2003, 5 bytes/s, more than 35 km away") == true, "\(line ?? "")")
        }
    }

    @Test func aLineHasABoundedNumberOfMessages() {
        var reception = Reception(of: "BASE", at: 0)
        var delimiter = RTCMDelimiter()
        var line: String?
        let messages = [Int](1071...1077) + [Int](1081...1087) + [Int](1091...1097)
        let bytes = messages.flatMap { RTCMFrames.message($0) }
        delimiter.receive(bytes.span.bytes) { frame, bytes in
            line = reception.add(frame, length: bytes.count, at: frame.number == 1097 ? 5 : 0)
        }
        #expect(line?.split(separator: " ").filter { Int($0).map { $0 > 1000 } == true }.count == 16, "\(line ?? "")")
    }
}
