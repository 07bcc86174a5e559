import FileFormats
import Testing

/// The encodings and formats of logs.
@Suite struct TextDecoderTests {
    private func text(_ bytes: [UInt8], piece: Int = .max, acceptsGPX: Bool = true) throws(ForeignFormat) -> String {
        var decoder = TextDecoder(acceptsGPX: acceptsGPX)
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let next = Array(rest.prefix(piece))
            rest = rest.dropFirst(next.count)
            text += decoder.isVerbatim ? next : try decoder.decode(next.span)
        }
        text += try decoder.finish()
        return String(decoding: text, as: UTF8.self)
    }

    private func utf16(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
        text.utf16.flatMap { unit -> [UInt8] in
            let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    private static let nmea = "$GPRMC,120000.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A*55\r\n"

    /// utf16.nmea
    @Test(arguments: [1, 2, 3, 7, 64, Int.max])
    func everyEncoding(piece: Int) throws {
        for log in [Self.nmea, "<gpx><name>Zürich 🧭</name></gpx>", "\r\n \(Self.nmea)"] {
            #expect(try text(Array(log.utf8), piece: piece) == log)
            #expect(try text([0xEF, 0xBB, 0xBF] + Array(log.utf8), piece: piece) == log)
            #expect(try text([0xFF, 0xFE] + utf16(log), piece: piece) == log)
            #expect(try text([0xFE, 0xFF] + utf16(log, isBigEndian: true), piece: piece) == log)
            #expect(try text(utf16(log), piece: piece) == log)
            #expect(try text(utf16(log, isBigEndian: true), piece: piece) == log)
        }
    }

    /// `locationctl decode -` reads from a receiver that sends now.
    @Test func sentencesAreNotHeldBack() throws {
        var decoder = TextDecoder(acceptsGPX: false)
        #expect(try decoder.decode([UInt8(ascii: "$"), UInt8(ascii: "G")].span).count == 2)
        #expect(decoder.isVerbatim)
    }

    @Test func halvesAreReplaced() throws {
        #expect(try text([0xFF, 0xFE, 0x24, 0x00, 0x00, 0xD8, 0x41, 0x00]) == "$\u{FFFD}A")
        #expect(try text([0xFF, 0xFE, 0x24]) == "")
        #expect(try text([]) == "" && text([0x24]) == "$" && text([0xB5]) == "\u{FFFD}")
    }

    /// UBX frames, and the noise of a port that was opened in the middle of one.
    @Test func binaryLogsAreLeftAsTheyAre() throws {
        let frames: [UInt8] = [0xB5, 0x62, 0x01, 0x02, 0x1C, 0x00] + [UInt8](repeating: 0, count: 30)
        for offset in 0..<frames.count {
            var decoder = TextDecoder(acceptsGPX: false)
            let bytes = Array(frames[offset...])
            #expect(try decoder.decode(bytes.span) + decoder.finish() == bytes)
        }
    }

    private static let binary: [([UInt8], String)] = [
        ([0x1F, 0x8B, 0x08, 0x00], "a file compressed with gzip"),
        (Array("BZh91AY&SY".utf8), "a file compressed with bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "a file compressed with xz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a file compressed with zstd"), ([0x50, 0x4B, 0x03, 0x04], "a zip archive"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
        ([0x0E, 0x10, 0x43, 0x08, 0x78, 0x06, 0x09, 0x00] + Array(".FIT".utf8), "a FIT file"),
        ([0x0C, 0x10, 0x64, 0x00, 0x78, 0x06, 0x09, 0x00] + Array(".FIT".utf8), "a FIT file"),
        (Array("SQLite format 3\0".utf8), "an SQLite database"), (Array("%PDF-1.7\n".utf8), "a PDF file"),
        ([0xFF, 0xFE, 0x00, 0x00, 0x24, 0x00, 0x00, 0x00], "text in UTF-32"),
    ]

    @Test(arguments: [1, 5, Int.max])
    func otherFormatsAreNamed(piece: Int) {
        let texts: [(String, String)] = [
            ("<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>", "a KML file"),
            ("<kml>", "a KML file"), ("<!-- <gpx> -->\n<k:kml>", "a KML file"),
            ("<TrainingCenterDatabase>", "a TCX file"), ("<!DOCTYPE html><html lang=\"en\">", "an HTML page"),
        ]
        let all =
            Self.binary + texts.map { (Array($0.utf8), $1) } + texts.map { ([0xFF, 0xFE] + utf16($0), $1) }
        for (bytes, name) in all {
            let more = name.hasSuffix("page") || name.hasPrefix("text") ? [] : [UInt8](repeating: 0x20, count: 40)
            let foreign = #expect(throws: ForeignFormat.self) { try text(bytes + more, piece: piece) }
            #expect(foreign?.name == name)
            #expect(foreign?.description.hasPrefix("this is \(name): ") == true)
        }
    }

    @Test func gpxIsForThoseWhoReadIt() throws {
        let gpx = "<?xml version=\"1.0\"?><!DOCTYPE gpx><gpx/>"
        #expect(try text(Array(gpx.utf8)) == gpx)
        #expect(throws: ForeignFormat.gpx) { try text(Array(gpx.utf8), acceptsGPX: false) }
        #expect(throws: ForeignFormat.gpx) {
            try text([0xFE, 0xFF] + utf16(gpx, isBigEndian: true), acceptsGPX: false)
        }
        // Unknown fields are left to the reader.
        #expect(try text(Array("<log>".utf8)) == "<log>" && text(Array("<".utf8)) == "<")
        let long = "<!-- " + String(repeating: "x", count: 10_000)
        #expect(try text(Array(long.utf8), piece: 100) == long)
    }
}
