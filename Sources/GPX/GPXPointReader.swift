/// A parser for the points in a GPX 1.0 or 1.1 file, in the order of the file and in bounded memory.
package struct GPXPointReader {
    /// The maximum length of the text in an element that is read, in bytes. Longer text is cut behind the first byte
    /// that is too many.
    static let maximumTextLength = 64

    private var scanner = GPXScanner()
    private var point: GPXPoint?
    /// The name of the open element within a point, and its text without surrounding white space and with each run of
    /// it as one byte.
    private var element: (name: String, text: [UInt8])?
    private var hasRoot = false
    private var isComplete = false

    /// Creates a reader at the beginning of a file.
    package init() {}

    /// Returns the next point in `bytes` at or after `offset`, or `nil` at their end. Moves `offset` behind what was
    /// read.
    package mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(GPXFailure) -> GPXPoint? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            let token: GPXScanner.Token?
            do throws(GPXScanner.Failure) { token = try scanner.consume(byte) } catch {
                throw failure("a tag is longer than \(GPXScanner.maximumTagLength) bytes")
            }
            switch token {
            case .tag(let tag): if let point = try handle(XMLTag(tag)) { return point }
            case .text(let byte): if element != nil { append(byte) }
            case nil: break
            }
        }
        return nil
    }

    /// Throws unless the file was complete, after all of it was parsed.
    package func finish() throws(GPXFailure) {
        guard !scanner.isBetweenTags || !isComplete else { return }
        throw failure(hasRoot ? "the file ends before </gpx>" : "there is no <gpx> element: this is not a GPX file")
    }

    /// Returns a failure at the current line.
    package func failure(_ message: String) -> GPXFailure { GPXFailure(line: scanner.line, message: message) }

    /// Returns the point that a tag completes.
    private mutating func handle(_ tag: XMLTag) throws(GPXFailure) -> GPXPoint? {
        if !hasRoot {
            guard tag.name == "gpx" else { throw failure("the file begins with <\(tag.name)>, not with <gpx>") }
            hasRoot = true
        }
        switch tag.name {
        case "gpx": if tag.kind != .opening { isComplete = true }
        case "trkpt": return try handlePoint(tag, .track)
        case "rtept": return try handlePoint(tag, .route)
        case "wpt": return try handlePoint(tag, .waypoint)
        case "ele", "time", "sat", "speed": try handleElement(tag)
        default: break
        }
        return nil
    }

    private mutating func handlePoint(_ tag: XMLTag, _ kind: GPXPoint.Kind) throws(GPXFailure) -> GPXPoint? {
        if tag.kind != .closing {
            point = GPXPoint(
                kind: kind, latitude: try coordinate("lat", of: tag, limit: 90),
                longitude: try coordinate("lon", of: tag, limit: 180))
        }
        guard tag.kind != .opening, let point, point.kind == kind else { return nil }
        self.point = nil
        return point
    }

    private func coordinate(_ name: String, of tag: XMLTag, limit: Double) throws(GPXFailure) -> Double {
        guard let text = tag.attribute(name) else { throw failure("<\(tag.name)> lacks \(name)") }
        guard let value = Self.number(text), value.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            throw failure("\(name)=\"\(text)\" of <\(tag.name)> is not a number of degrees from \(range)")
        }
        return value
    }

    private mutating func append(_ byte: UInt8) {
        if byte <= 0x20, (element!.text.last ?? 0x20) <= 0x20 { return }
        if element!.text.count <= Self.maximumTextLength { element!.text.append(byte) }
    }

    private mutating func handleElement(_ tag: XMLTag) throws(GPXFailure) {
        switch tag.kind {
        case .opening: element = point == nil ? nil : (tag.name, [])
        case .selfClosing: break
        case .closing:
            guard let (name, bytes) = element, name == tag.name else { return }
            element = nil
            let text = String(decoding: bytes.last ?? 0x21 <= 0x20 ? bytes.dropLast() : bytes[...], as: UTF8.self)
            let isWhole = bytes.count <= Self.maximumTextLength
            switch name {
            case "ele":
                guard isWhole, let value = Self.number(text), value.magnitude <= 100_000 else {
                    throw failure(
                        "<ele> contains \"\(text)\", which is not a number of metres from -100000 to 100000")
                }
                point?.elevation = value
            case "time": point?.time = text
            case "sat": point?.satellites = Self.number(text)
            default: point?.speed = Self.number(text)
            }
        }
    }

    /// Parses a decimal number as defined by XML Schema, with optional white space around it.
    private static func number(_ text: String) -> Double? {
        let digits = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }) else {
            return nil
        }
        return Double(String(decoding: digits, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
