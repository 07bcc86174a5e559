@testable import LogReport

/// A log's sentences in the making: a receiver that reports once a second.
struct SampleLog {
    private(set) var text = ""

    /// Adds a sentence with its checksum.
    mutating func add(_ body: String) {
        let checksum = body.utf8.reduce(0) { $0 ^ $1 }
        text += "$\(body)*\(checksum < 16 ? "0" : "")\(String(checksum, radix: 16, uppercase: true))\r\n"
    }

    /// Adds an epoch: RMC and GGA.
    ///
    /// - Parameters:
    ///   - second: Of 2026-11-21.
    ///   - north: Metres from 59°N.
    ///   - east: Metres from 18°E.
    ///   - knots: The speed.
    mutating func fix(_ second: Int, north: Double = 0, east: Double = 0, knots: Double = 0, date: String = "211126") {
        let latitude = "59\(Self.minutes(north / 1855.3)),N"
        let longitude = "018\(Self.minutes(east / 957.0)),E"
        add("GPRMC,\(Self.clock(second)),A,\(latitude),\(longitude),\(knots),0,\(date),,,A")
        add("GPGGA,\(Self.clock(second)),\(latitude),\(longitude),1,08,1.0,12.0,M,23.4,M,,")
    }

    /// Adds an epoch without a fix.
    mutating func void(_ second: Int) {
        add("GPRMC,\(Self.clock(second)),V,,,,,,,211126,,,N")
    }

    /// Adds a sky with two satellites, one of them used.
    mutating func sky(azimuth: Int) {
        add("GPGSA,A,3,07,,,,,,,,,,,,1.8,1.0,1.5")
        add("GPGSV,1,1,02,07,45,\(azimuth),41,09,10,200,")
    }

    private static func clock(_ second: Int) -> String {
        [second / 3600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined()
    }

    /// Returns minutes of arc, 0..<60, as `mm.mmmmm`.
    private static func minutes(_ minutes: Double) -> String {
        let scaled = Int((minutes * 100_000).rounded())
        let fraction = String(scaled % 100_000)
        let whole = scaled / 100_000
        return "\(whole < 10 ? "0" : "")\(whole)." + String(repeating: "0", count: 5 - fraction.count) + fraction
    }

    /// The results of reading the log.
    func report(name: String = "sample.nmea", piece: Int = .max) throws -> ReportLog {
        try Self.report(text, name: name, piece: piece)
    }

    /// Reads a log in pieces of that many bytes.
    static func report(_ text: String, name: String = "sample", piece: Int = .max) throws -> ReportLog {
        try report(Array(text.utf8), name: name, piece: piece)
    }

    static func report(_ bytes: [UInt8], name: String = "sample", piece: Int = .max) throws -> ReportLog {
        var reader = LogReader()
        var rest = bytes[...]
        while !rest.isEmpty {
            try reader.read(Array(rest.prefix(piece)).span)
            rest = rest.dropFirst(piece)
        }
        try reader.finish()
        return ReportLog(reader, name: name)
    }
}
