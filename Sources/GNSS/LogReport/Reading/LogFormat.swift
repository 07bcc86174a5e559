/// The formats of logs. The beginning of a log determines its format.
package enum LogFormat: String, Sendable {
    case nmea = "NMEA 0183"
    case gpx = "GPX"
    case jsonLines = "JSON lines"

    /// The number of bytes after white space that suffice to distinguish the formats.
    static let decisiveLength = 9

    /// Returns the format of a log, or `nil` if more of it is needed.
    ///
    /// - Parameters:
    ///   - beginning: The first bytes of the log, without a byte order mark and white space.
    ///   - isWhole: `true` if the log ends after these bytes.
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
