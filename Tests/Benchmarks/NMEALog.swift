import NMEA

/// A log as a receiver would write it: RMC VTG GGA GSA GSV GSV GSV GLL, one epoch a second.
struct NMEALog {
    let bytes: [UInt8]
    let sentences: Int

    init(epochs: Int) {
        var bytes: [UInt8] = []
        for epoch in 0..<epochs { Self.append(epoch, to: &bytes) }
        self.bytes = bytes
        sentences = epochs * 8
    }

    private static func append(_ epoch: Int, to bytes: inout [UInt8]) {
        let second = epoch % 86_400
        let time = two(second / 3600) + two(second / 60 % 60) + two(second % 60) + ".00"
        let date = two(1 + epoch / 86_400) + "1225"
        let position = "4717.\(10_000 + epoch * 7 % 89_999),N,00833.\(10_000 + epoch * 13 % 89_999),E"
        for body in [
            "GNRMC,\(time),A,\(position),0.\(epoch % 10)04,77.52,\(date),,,A",
            "GNVTG,77.52,T,,M,0.004,N,0.008,K,A",
            "GNGGA,\(time),\(position),1,08,1.01,499.\(epoch % 10),M,48.0,M,,",
            "GNGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54",
            "GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00",
            "GPGSV,3,2,11,14,25,170,00,16,57,208,39,18,67,296,40,19,40,246,00",
            "GPGSV,3,3,11,22,42,067,42,24,14,311,43,27,05,244,00",
            "GNGLL,\(position),\(time),A,A",
        ] {
            bytes.append(UInt8(ascii: "$"))
            let text = Array(body.utf8)
            bytes += text
            let sum = checksum(of: text.span)
            let digits = Array("0123456789ABCDEF".utf8)
            bytes += [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
        }
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
