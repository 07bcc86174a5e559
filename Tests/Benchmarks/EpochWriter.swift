import Glibc

/// One epoch of a receiver.
struct Epoch {
    /// The bytes of the epoch, which the receiver sends in one burst.
    let bytes: [UInt8]
    /// The time of the epoch as in JSON: `2026-11-21T09:30:00.000Z`.
    let timestamp: String
    /// The time of the epoch as in NMEA: `093000.00`.
    let timeOfDay: String
}

/// Writes the sentences of a u-blox receiver with its default messages: RMC, VTG, GGA, GSA, GSV and finally GLL.
struct EpochWriter {
    /// The sentences to write.
    enum Sentences {
        /// RMC, VTG, GGA, GSA, GSV and GLL.
        case standard
        /// GGA, GSA and RMC, the sentences that make up a fix.
        case fewest
    }

    private let selection: Sentences
    private let interval: Int
    /// The time of the epoch in hundredths of a second since 1970.
    private var hundredths: Int
    private var minutes = 7.2

    /// Creates a writer whose first epoch is one interval after `start`.
    ///
    /// - Parameter interval: The time between two epochs, in hundredths of a second.
    init(start: time_t, sentences: Sentences = .standard, interval: Int = 100) {
        hundredths = start * 100
        self.interval = interval
        selection = sentences
    }

    /// Returns the next epoch.
    mutating func next() -> Epoch {
        hundredths += interval
        var time = hundredths / 100
        let fraction = padded(hundredths % 100, 2)
        minutes = minutes >= 50 ? 7.2 : minutes + 0.00041
        var parts = tm()
        gmtime_r(&time, &parts)
        let year = Int(parts.tm_year) + 1900
        let date = [parts.tm_mday, parts.tm_mon + 1, CInt(year % 100)].map { padded(Int($0), 2) }
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
        let timeOfDay = "\(clock.joined()).\(fraction)"
        let place = "48\(minute(minutes)),N,011\(minute(minutes + 3)),E"
        var sentences = [
            "GPRMC,\(timeOfDay),A,\(place),1.437,54.70,\(date.joined()),,,A",
            "GPVTG,54.70,T,,M,1.437,N,2.662,K,A",
            "GPGGA,\(timeOfDay),\(place),1,09,0.94,545.4,M,46.9,M,,",
            "GPGSA,A,3,02,05,07,09,13,16,20,27,30,,,,1.72,0.94,1.44",
            "GPGSV,3,1,11,02,32,228,41,05,73,068,44,07,64,247,46,09,27,279,38",
            "GPGSV,3,2,11,13,49,127,42,15,18,181,29,16,11,068,31,20,15,122,33",
            "GPGSV,3,3,11,27,08,027,24,28,09,321,,30,42,299,43",
            "GPGLL,\(place),\(timeOfDay),A,A",
        ]
        if selection == .fewest { sentences = [sentences[2], sentences[3], sentences[0]] }
        return Epoch(
            bytes: sentences.flatMap(Self.framed),
            timestamp: "\(year)-\(date[1])-\(date[0])T\(clock.joined(separator: ":")).\(fraction)0Z",
            timeOfDay: timeOfDay)
    }

    /// Returns minutes of arc with five decimals, as in `07.20041`.
    private func minute(_ minutes: Double) -> String {
        let hundredThousandths = Int((minutes * 100_000).rounded())
        return padded(hundredThousandths / 100_000, 2) + "." + padded(hundredThousandths % 100_000, 5)
    }

    private static func framed(_ body: String) -> [UInt8] {
        let checksum = body.utf8.reduce(0) { $0 ^ $1 }
        let digits = String(checksum, radix: 16, uppercase: true)
        return Array("$\(body)*\(checksum < 16 ? "0" : "")\(digits)\r\n".utf8)
    }
}

private func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
