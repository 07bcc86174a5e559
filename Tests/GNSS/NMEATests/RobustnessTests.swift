import NMEA
import TestSupport
import Testing

/// Arbitrary input: it causes no trap, and the result does not depend on where the input is cut. On failure, the seed
/// is in the message.
@Suite struct RobustnessTests {
    private let log = Array(
        sentences(
            "GNRMC,120000.00,A,4717.112671,N,00833.914843,E,0.5,77.5,150624,2.5,W,A,V", "GNVTG,77.5,T,,M,0.5,N,0.9,K,A",
            "GNGGA,120000.00,4717.112671,N,00833.914843,E,1,08,1.0,499.6,M,48.0,M,,",
            "GNGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54,1",
            "GPGSV,1,1,04,03,45,111,42,04,05,360,,05,,,07,06,01,010,30,1",
            "GNGST,120000.00,1.2,2.0,1.0,45.0,1.6,1.6,3.0",
            "GNGLL,4717.112671,N,00833.914843,E,120000.00,A,A", "GNZDA,120000.00,15,06,2024,00,00", "GPHDT,101.5,T",
            "HCHDG,101.1,1.0,E,7.0,E",
            "PUBX,00,120000.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
            "PGRME,10.0,M,20.0,M,22.0,M", "PMTK001,314,3", "GPDTM,W84,,0.0,N,0.0,E,0.0,W84"
        ).utf8)

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let decoded = decode((0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(decoded.epochs.isEmpty, "seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomFieldsWithRightChecksums(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let addresses = [
            "GPRMC", "GNGGA", "GPGLL", "GNGNS", "GPGSA", "GPGSV", "GPVTG", "GPZDA", "GPGST", "GPGBS", "GPDTM", "GPTXT",
            "GPHDT", "HCHDG",
            "HCHDM", "GNTHS", "GPROT", "PUBX,00", "PUBX,04", "PGRME", "PGRMZ", "PGRMM", "PASHR", "PASHR,POS", "PAIRSPF",
            "PQTMPL",
        ]
        let fields = [
            "", "0", "1", "2", "3", "-1", "9999999999999999", "-9999999999999999", "99999999999999999999", "120000",
            "120001.5", "235960",
            "4717.11", "00833.91", "99999.99999", "N", "S", "E", "W", "A", "V", "M", "T", "150624", "999999",
            "0.000000000000001",
            "99.99", "WGS 84", "W84", "POS", "ANN", ".", "-", "+", "D3", "2024", "06",
        ]
        var text = ""
        for _ in 0..<400 {
            let count = Int.random(in: 0...24, using: &random)
            let body =
                ([addresses.randomElement(using: &random)!]
                    + (0..<count).map { _ in fields.randomElement(using: &random)! })
            text += sentence(body.joined(separator: ","))
        }
        for epoch in decode(text).epochs {
            #expect(abs(epoch.latitude) <= 90 && abs(epoch.longitude) <= 180, "seed \(seed)")
            #expect(epoch.course.map { (0..<360).contains($0) } ?? true, "seed \(seed)")
            #expect(epoch.speed.map { $0 >= 0 } ?? true, "seed \(seed)")
            #expect(epoch.hdop.map { (0.01...89.99).contains($0) } ?? true, "seed \(seed)")
            #expect([epoch.altitude, epoch.ellipsoidalAltitude].allSatisfy { $0?.isFinite ?? true }, "seed \(seed)")
            #expect(
                [epoch.horizontalAccuracy, epoch.verticalAccuracy, epoch.speedAccuracy].allSatisfy {
                    $0.map { $0 > 0 } ?? true
                }, "seed \(seed)")
            #expect(epoch.courseAccuracy.map { (0...45).contains($0) } ?? true, "seed \(seed)")
            #expect(epoch.timeOfDay.map { (0..<86_400_000).contains($0) } != false, "seed \(seed)")
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input: [UInt8] = []
        for _ in 0..<10 { input += log }
        for _ in 0..<60 {
            let index = Int.random(in: 0..<input.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: input[index] = UInt8.random(in: 0...255, using: &random)
            case 1: input.remove(at: index)
            case 2: input.insert(Array("$!*,\r\n0A".utf8).randomElement(using: &random)!, at: index)
            default: input.removeSubrange(index..<min(input.count, index + Int.random(in: 1...40, using: &random)))
            }
        }
        let decoded = decode(input)
        #expect(decoded.epochs.count <= 1, "seed \(seed)")
    }

    @Test func everyTruncationOfALog() {
        for length in 0...log.count { #expect(decode(Array(log[..<length])).epochs.count <= 1) }
    }

    /// Bytes behind the input are not read as a part of it, even if they would continue it perfectly.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func thePaddingMakesNoDifference(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let input = log + log + log
        var expected: [Event] = []
        var whole = NMEADecoder()
        whole.decode(input.span.bytes) { expected.append(copy $0) }
        var events: [Event] = []
        var decoder = NMEADecoder()
        var start = 0
        while start < input.count {
            let end = min(input.count, start + Int.random(in: 1...200, using: &random))
            let behind = input[end...].prefix(NMEADecoder.padding) + Array("*00\r\n$GPRMC,,\r\n$$$$$$$".utf8)
            let padded = Array(input[start..<end] + behind.prefix(NMEADecoder.padding))
            var offset = 0
            while let event = decoder.next(in: padded.span.bytes, upTo: end - start, at: &offset) {
                events.append(event)
            }
            #expect(offset == end - start)
            start = end
        }
        #expect(events == expected, "seed \(seed)")
        #expect(decoder.counts == whole.counts, "seed \(seed)")
    }
}
