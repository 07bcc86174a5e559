/// A file format that is recognized but not read, so that an error can name it and its remedy.
package struct ForeignFormat: Error, Equatable, CustomStringConvertible {
    /// The name, with an article: `a KML file`.
    package let name: String
    /// The remedy, as a clause without a full stop.
    package let advice: String

    /// The sentence that follows the name of the file, without a full stop.
    package var description: String { "this is \(name): \(advice)" }

    private init(_ name: String, _ advice: String) {
        (self.name, self.advice) = (name, advice)
    }

    /// The number of bytes that suffice to recognize each binary format.
    static let decisiveLength = 16

    /// Returns the format of a file that begins with these bytes, or `nil` if it may be text.
    static func binary(_ beginning: ArraySlice<UInt8>) -> ForeignFormat? {
        func begins(_ bytes: [UInt8]) -> Bool { beginning.starts(with: bytes) }
        if begins([0x1F, 0x8B]) { return compressed("gzip", with: "gunzip") }
        if begins(Array("BZh".utf8)), beginning.dropFirst(3).first.map({ (0x31...0x39).contains($0) }) == true {
            return compressed("bzip2", with: "bunzip2")
        }
        if begins([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) { return compressed("xz", with: "unxz") }
        if begins([0x28, 0xB5, 0x2F, 0xFD]) { return compressed("zstd", with: "unzstd") }
        if begins([0x50, 0x4B, 0x03, 0x04]) || begins([0x50, 0x4B, 0x05, 0x06]) {
            return ForeignFormat("a zip archive", "unpack it first, with `unzip`; in a .kmz is a KML file")
        }
        if begins([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
            return ForeignFormat("a 7z archive", "unpack it first, with `7z x`")
        }
        // The first byte is the length of the header.
        if [12, 14].contains(beginning.first), beginning.dropFirst(8).starts(with: ".FIT".utf8) {
            return convertible("FIT", "garmin_fit")
        }
        if begins(Array("SQLite format 3\0".utf8)) { return ForeignFormat("an SQLite database", exported) }
        if begins(Array("%PDF-".utf8)) { return ForeignFormat("a PDF file", exported) }
        if begins([0xFF, 0xFE, 0x00, 0x00]) || begins([0x00, 0x00, 0xFE, 0xFF]) {
            return ForeignFormat("text in UTF-32", "convert it first, with `iconv -f UTF-32 -t UTF-8`")
        }
        return nil
    }

    /// Returns the format of an XML file with this root element, or `nil` for GPX and unknown formats.
    static func xml(root: String) -> ForeignFormat? {
        switch root {
        case "kml": convertible("KML", "kml")
        case "TrainingCenterDatabase": convertible("TCX", "gtrnctr")
        case "html", "HTML": ForeignFormat("an HTML page", exported)
        case "osm": convertible("OpenStreetMap XML", "osm")
        default: nil
        }
    }

    /// GPX, for programs that read other formats.
    package static let gpx = ForeignFormat(
        "a GPX file", "`locationctl report` and `locationctl simulate --route` read it")

    private static let exported = "export the track as GPX"

    private static func compressed(_ program: String, with command: String) -> ForeignFormat {
        ForeignFormat("a file compressed with \(program)", "decompress it first, with `\(command)`")
    }

    private static func convertible(_ name: String, _ format: String) -> ForeignFormat {
        ForeignFormat("a \(name) file", "convert it first, with `gpsbabel -i \(format) -f FILE -o gpx -F track.gpx`")
    }
}
