/// The formats of logs. They are told apart by how a log begins.
package enum LogFormat: String, Sendable {
    case nmea = "NMEA 0183"
    case gpx = "GPX"
    case jsonLines = "JSON lines"

    /// The number of bytes that suffice to tell the formats apart, behind white space.
    static let decisiveLength = 9

    /// Returns the format of a log, or `nil` if more of it is needed.
    ///
    /// - Parameters:
    ///   - beginning: Its first bytes, without a byte order mark and white space.
    ///   - isWhole: The log ends behind them.
    init?(beginning: ArraySlice<UInt8>, isWhole: Bool) {
        guard beginning.count >= Self.decisiveLength || isWhole else { return nil }
        if ["<?xml", "<gpx ", "<gpx>", "<!--", "<!DOC"].contains(where: { beginning.starts(with: $0.utf8) }) {
            self = .gpx
        } else if beginning.first == UInt8(ascii: "{"), !beginning.starts(with: #"{"class":"#.utf8) {
            self = .jsonLines
        } else {
            // `gpspipe -r` begins with three lines of gpsd's JSON.
            self = .nmea
        }
    }
}
