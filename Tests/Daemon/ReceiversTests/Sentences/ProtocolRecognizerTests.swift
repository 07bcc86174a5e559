import LocationModel
import NIOCore
import NMEA
import TestSupport
import Testing

@testable import Receivers

/// The names of the protocols that are not read.
@Suite struct ProtocolRecognizerTests {
    private func found(_ bytes: [UInt8]) -> OtherProtocol? {
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

    private func crc32(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { remainder, byte in
            (0..<8).reduce(remainder ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    /// A Septentrio block with that body, whose length is a multiple of 4.
    private func sbf(_ body: [UInt8]) -> [UInt8] {
        let length = 8 + body.count
        let checked = [0xA7, 0x0F, UInt8(length & 0xFF), UInt8(length >> 8)] + body
        var crc: UInt16 = 0
        for byte in checked {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = (crc << 1) ^ (crc & 0x8000 != 0 ? 0x1021 : 0) }
        }
        return Array("$@".utf8) + [UInt8(crc & 0xFF), UInt8(crc >> 8)] + checked
    }

    /// A message with that header after AA 44, that body and the CRC.
    private func novAtel(_ header: [UInt8], _ body: [UInt8]) -> [UInt8] {
        let message = [0xAA, 0x44] + header + body
        let crc = crc32(message)
        return message + (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
    }

    private func long(_ body: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x12, 28, 42, 0, 0, 32, UInt8(body.count), 0] + [UInt8](repeating: 7, count: 18)
        return novAtel(header, body)
    }

    private func short(_ body: [UInt8]) -> [UInt8] {
        novAtel([0x13, UInt8(body.count), 0x45, 1] + [UInt8](repeating: 7, count: 6), body)
    }

    private func unicore(_ body: [UInt8]) -> [UInt8] {
        novAtel([0xB5, 97, 0x46, 8, UInt8(body.count), 0] + [UInt8](repeating: 7, count: 16), body)
    }

    private func log(_ text: String) -> [UInt8] {
        let digits = String(crc32(Array(text.dropFirst().utf8)), radix: 16)
        return Array((text + "*" + String(repeating: "0", count: 8 - digits.count) + digits + "\r\n").utf8)
    }

    @Test func whatReceiversForSurveyingSendIsRecognized() {
        let data: [UInt8] = [0x02, 0xFF, 0x10, 0xAA, 0x44, 0x24, 0x40, 0x00]
        let noise: [UInt8] = [0x24, 0xAA, 0x24, 0xAA, 0x44, 0xAA]
        let text = "#BESTNAVA,97,GPS,FINE,2411,129618000,0,0,18,12;SOL_COMPUTED,NARROW_INT,48.1"
        let messages: [([UInt8], OtherProtocol)] = [
            (sbf(data), .sbf), (long(data), .novAtelBinary), (short(data), .novAtelBinary),
            (unicore(data), .unicoreBinary), (log(text), .novAtelASCII),
            (log("%RAWIMUSXA,1692,484620.664;00,11,1692"), .novAtelASCII),
            (Array("{\"time\":1,\"lat\":48.1}\r\n".utf8), .json),
        ]
        for (message, kind) in messages {
            #expect(found(message) == kind)
            #expect(found(noise + Array("\n".utf8) + message) == kind, "\(kind) behind noise")
            var recognizer = ProtocolRecognizer()
            for byte in message { recognizer.read([byte].span.bytes) }
            #expect(recognizer.found == kind)
            if kind == .json { continue }
            let end = kind == .novAtelASCII ? message.count - 2 : message.count
            for index in 0..<end {
                var damaged = message
                damaged[index] ^= 0x40
                #expect(found(damaged) == nil, "\(kind) at \(index)")
            }
            #expect(found(Array(message.prefix(end - 1))) == nil)
        }
    }

    @Test(arguments: [
        "{}\n", "{\"a\" }\n", "x{\"a\":1,\"b\":2}\n", "{\"time\":1,\"lat\":48.1\n", "{\"a\":\u{1}1,\"b\":22}\n",
    ])
    func otherTextIsNotJSON(text: String) {
        #expect(found(Array(text.utf8)) == nil)
    }

    /// unicore-ascii-only.txt
    @Test func unicoreASCIIIsNamed() {
        let text = """
            #BESTNAVA,97,GPS,FINE,2411,129618000,0,0,18,12;SOL_COMPUTED,NARROW_INT,48.11730000,11.51666667,545.4000,\
            46.9000,WGS84,0.0102,0.0098,0.0201,"0",1.000,0.000,30,28,28,28,0,00,3,3,SOL_COMPUTED,DOPPLER_VELOCITY,0.000,\
            0.000,0.0102,84.400000,0.0010,0.0100,0.0100*dea8299f
            """
        #expect(found(Array(text.utf8)) == .novAtelASCII)
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

/// The diagnosis of a port from its input.
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
        // A sentence outweighs the data before it.
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
