import LocationModel
import NIOCore
import NMEA
import Testing

@testable import Receivers

/// Impossible values are left out of a fix, and impossible fixes are dropped, however the receiver is connected.
@Suite struct PlausibilityTests {
    private func overNMEA(_ year: Int, knots: Double) -> Fix? {
        let body = "GPRMC,120000.000,A,4717.1000,N,00833.9000,E,\(knots),90.0,0201\(String("\(year)".suffix(2))),,,A"
        let checksum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
        let digits = String(checksum, radix: 16, uppercase: true)
        let sentence = "$\(body)*\(checksum < 16 ? "0" : "")\(digits)\r\n"
        var decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        var fixes: [Fix] = []
        decoder.decode(Array(sentence.utf8).span.bytes) { event in
            if case .epoch(let epoch) = event { Fix(epoch, receiver: "r").map { fixes.append($0) } }
        }
        while let event = decoder.flush() {
            if case .epoch(let epoch) = event { Fix(epoch, receiver: "r").map { fixes.append($0) } }
        }
        return fixes.first
    }

    private func overGPSD(_ year: Int, knots: Double) -> Fix? {
        var reader = GPSDReader()
        let line =
            "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\"time\":\"\(year)-01-02T12:00:00.000Z\","
            + "\"lat\":47.285,\"lon\":8.565,\"speed\":\(knots * 1852 / 3600),\"track\":90.0}\n"
        var offset = 0
        var epochs = GPSDEpochs(receiver: "r")
        guard case .position(let position)? = reader.next(in: Array(line.utf8).span.bytes, at: &offset) else {
            return nil
        }
        return epochs.fix(position, at: .uptimeNanoseconds(0)) { Timestamp(millisecondsSince1970: 0) }
    }

    @Test(arguments: [2017, 2026, 2037, 2055, 2056, 2057, 2070, 2079], [0.0, 12, 2332, 2333, 971_922_246.5])
    func bothSourcesAgree(year: Int, knots: Double) {
        let nmea = overNMEA(year, knots: knots)?.location
        let gpsd = overGPSD(year, knots: knots)?.location
        #expect((nmea == nil) == (year > 2056))
        #expect(nmea?.timestamp == gpsd?.timestamp)
        #expect((nmea?.speed == nil) == (gpsd?.speed == nil))
        #expect(nmea?.course == gpsd?.course)
        if nmea != nil { #expect((nmea?.speed == nil) == (knots > 2332)) }
    }
}
