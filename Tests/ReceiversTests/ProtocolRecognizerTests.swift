import LocationModel
import NIOCore
import NMEA
import TestSupport
import Testing

@testable import Receivers

/// The names of the protocols that are not read.
@Suite struct ProtocolRecognizerTests {
    private func found(_ bytes: [UInt8]) -> BinaryProtocol? {
        var recognizer = ProtocolRecognizer()
        recognizer.read(bytes.span.bytes)
        return recognizer.found
    }

    /// A SiRF message with that payload.
    static func sirf(_ payload: [UInt8]) -> [UInt8] {
        let sum = payload.reduce(0) { $0 + Int($1) } & 0x7FFF
        return [0xA0, 0xA2, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
            + [UInt8(sum >> 8), UInt8(sum & 0xFF), 0xB0, 0xB3]
    }

    private func skyTraq(_ payload: [UInt8]) -> [UInt8] {
        [0xA0, 0xA1, 0, UInt8(payload.count)] + payload + [payload.reduce(0, ^), 0x0D, 0x0A]
    }

    private func garmin(_ id: UInt8, _ data: [UInt8]) -> [UInt8] {
        let body = [UInt8(data.count)] + data
        let sum = 0 &- body.reduce(id, &+)
        return [0x10, id] + (body + [sum]).flatMap { $0 == 0x10 ? [$0, $0] : [$0] } + [0x10, 0x03]
    }

    private func rtcm(_ payload: [UInt8]) -> [UInt8] {
        let bytes = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        var remainder: UInt32 = 0
        for byte in bytes {
            remainder ^= UInt32(byte) << 16
            for _ in 0..<8 { remainder = (remainder << 1) ^ (remainder & 0x80_0000 != 0 ? 0x186_4CFB : 0) }
        }
        return bytes + [UInt8(remainder >> 16 & 0xFF), UInt8(remainder >> 8 & 0xFF), UInt8(remainder & 0xFF)]
    }

    @Test func wholeMessagesAreRecognized() {
        let data: [UInt8] = [0x02, 0xFF, 0x10, 0x00, 0xA0, 0x7F, 0x10]
        let noise: [UInt8] = [0xA0, 0x10, 0xD3, 0x00, 0xA0]
        #expect(found(noise + Self.sirf(data)) == .sirf)
        #expect(found(noise + skyTraq(data)) == .skyTraq)
        #expect(found(noise + garmin(0x33, data)) == .garmin)
        #expect(found([0, 1, 2] + rtcm(data)) == .rtcm)
        // The size and the checksum may be a DLE, too.
        #expect(found(garmin(0x33, [UInt8](repeating: 1, count: 16))) == .garmin)
        #expect(found(garmin(0x33, [0xBC])) == .garmin)
        #expect(found(garmin(0x33, [])) == .garmin)
        // In pieces of one byte.
        var recognizer = ProtocolRecognizer()
        for byte in Self.sirf(data) { recognizer.read([byte].span.bytes) }
        #expect(recognizer.found == .sirf)
    }

    @Test func damagedMessagesAreNot() {
        let data: [UInt8] = [0x02, 0xFF, 0x33, 0x00, 0x7F]
        for message in [Self.sirf(data), skyTraq(data), garmin(0x33, data), rtcm(data)] {
            for index in message.indices {
                var damaged = message
                damaged[index] ^= 0x40
                #expect(found(damaged) == nil, "\(message) at \(index)")
            }
            #expect(found(Array(message.dropLast())) == nil)
        }
    }

    @Test func noiseIsNoProtocol() {
        var random = SeededRandom(seed: 41)
        #expect(found((0..<500_000).map { _ in UInt8.random(in: 0...255, using: &random) }) == nil)
        #expect(found([UInt8](repeating: 0x10, count: 1000)) == nil)
        #expect(found([UInt8](repeating: 0, count: 1000)) == nil)
    }
}

/// What is said of a port, from what has come through it.
@Suite struct PortTrafficTests {
    private let opened = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func diagnosis(
        after seconds: Int64 = 4, satellites: Int = 0, outcome: EpochOutcome? = nil, _ bytes: [UInt8]
    ) -> ReceiverDiagnosis {
        var decoder = NMEADecoder()
        var traffic = PortTraffic(at: opened)
        for piece in stride(from: 0, to: bytes.count, by: 64) {
            let part = Array(bytes[piece..<min(bytes.count, piece + 64)])
            let before = decoder.counts.messages
            decoder.decode(part.span.bytes) { _ in }
            traffic.receive(
                part.span.bytes, messages: Int(decoder.counts.messages - before), isFirst: before == 0)
        }
        return traffic.diagnosis(
            outcome, decoder.counts, at: opened + .seconds(seconds), satellitesInView: satellites,
            unreadFrames: "UBX NAV-CLOCK")
    }

    private let sentence = Array("$GPTXT,01,01,02,hello*2F\r\n".utf8)

    @Test func nothingAndGarbage() {
        #expect(diagnosis([]).condition == .nothing)
        #expect(diagnosis(after: 1, []).condition == nil)
        let garbage = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 167) | 0x80 }
        #expect(diagnosis(after: 1, garbage).condition == .unreadable)
        #expect(diagnosis([0x98, 0x98]).condition == .unreadable)
        #expect(diagnosis(after: 1, [0x98, 0x98]).condition == nil)
        // The baud rate of a receiver that was understood has changed.
        #expect(diagnosis(sentence + garbage).condition == .unreadable)
    }

    @Test func anotherProtocolIsNamed() {
        let message = ProtocolRecognizerTests.sirf([UInt8](repeating: 41, count: 91))
        let named = diagnosis(after: 1, message + message)
        #expect(named.condition == .otherProtocol && named.protocolName == "SiRF binary")
        // A sentence is stronger than what came before it.
        #expect(diagnosis(message + sentence).condition == .noPosition)
    }

    @Test func messagesWithoutAPosition() {
        #expect(diagnosis(after: 1, sentence).condition == nil)
        let sent = diagnosis(sentence)
        #expect(sent.condition == .noPosition && sent.protocolName == "UBX NAV-CLOCK")
    }

    @Test func theLastEpochCounts() {
        #expect(diagnosis(outcome: .fix(.receiver), sentence).condition == .fix)
        #expect(diagnosis(outcome: .fix(.nearestDay), sentence).condition == .undated)
        #expect(diagnosis(outcome: .fix(.arrival), sentence).condition == .undated)
        #expect(diagnosis(outcome: .noClock, sentence).condition == .noDate)
        #expect(diagnosis(outcome: .noFix, sentence).condition == .noSatellites)
        let searching = diagnosis(satellites: 3, outcome: .noFix, sentence)
        #expect(searching.condition == .noFix && searching.satellitesInView == 3)
    }
}
