/// A parser for the points in a GPX 1.0 or 1.1 file, in the order of the file and in bounded memory.
///
/// Phone apps write points and values that cannot be read. These are skipped and counted; only input that is not XML of
/// GPX is refused.
package struct GPXPointReader {
    /// The maximum length of an element's text, in bytes. Longer text is cut off after one byte more.
    static let maximumTextLength = 64

    private var scanner = GPXScanner()
    /// The open point, and the namespace prefix of its tag.
    private var point: GPXPoint?
    private var prefix = ""
    /// The number of open elements within the point.
    private var depth = 0
    /// A Boolean value indicating whether the next point of a track is the first one of its segment.
    private var isStart = true
    /// The speed in an extension of the point.
    private var extensionSpeed: Double?
    private var skippedByKind: [GPXPoint.Kind: GPXSkipped] = [:]
    /// The name and the text of the open element within a point. The text has no surrounding white space, and each run
    /// of white space in it is one byte.
    private var element: (name: String, text: [UInt8])?
    private var hasRoot = false
    private var isComplete = false

    /// Creates a reader at the beginning of a file.
    package init() {}

    /// Returns the next point in `bytes` at or after `offset`, or `nil` at their end. Advances `offset` past the bytes
    /// that were read.
    package mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(GPXFailure) -> GPXPoint? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch scanner.consume(byte) {
            case .tag(let tag): if let point = try handle(XMLTag(tag)) { return point }
            case .text(let byte): if element != nil { append(byte) }
            case nil: break
            }
        }
        return nil
    }

    /// Throws an error unless the file was complete. To be called after all of it was parsed.
    package func finish() throws(GPXFailure) {
        guard !scanner.isBetweenTags || !isComplete else { return }
        throw failure(hasRoot ? "the file ends before </gpx>" : "there is no <gpx> element: this is not a GPX file")
    }

    /// Returns the counts of skipped points and values of this kind.
    package func skipped(_ kind: GPXPoint.Kind) -> GPXSkipped { skippedByKind[kind] ?? GPXSkipped() }

    /// Returns an error at the current line.
    package func failure(_ message: String) -> GPXFailure { GPXFailure(line: scanner.line, message: message) }

    /// Returns the point that a tag completes, if any.
    private mutating func handle(_ tag: XMLTag) throws(GPXFailure) -> GPXPoint? {
        if !hasRoot {
            guard tag.name == "gpx" else { throw failure("the file begins with <\(tag.name)>, not with <gpx>") }
            hasRoot = true
        }
        switch tag.name {
        case "gpx": if tag.kind != .opening { isComplete = true }
        case "trk", "trkseg": isStart = true
        case "trkpt": return handlePoint(tag, .track)
        case "rtept": return handlePoint(tag, .route)
        case "wpt": return handlePoint(tag, .waypoint)
        default: handleElement(tag)
        }
        return nil
    }

    private mutating func handlePoint(_ tag: XMLTag, _ kind: GPXPoint.Kind) -> GPXPoint? {
        if tag.kind != .closing {
            (point, element, depth, extensionSpeed) = (nil, nil, 0, nil)
            guard let latitude = coordinate("lat", of: tag, kind, limit: 90),
                let longitude = coordinate("lon", of: tag, kind, limit: 180)
            else { return nil }
            point = GPXPoint(kind: kind, latitude: latitude, longitude: longitude)
            prefix = tag.prefix
        }
        guard tag.kind != .opening, var point, point.kind == kind else { return nil }
        self.point = nil
        if kind == .track { (point.isStart, isStart) = (isStart, false) }
        if point.speed == nil { point.speed = extensionSpeed }
        return point
    }

    /// Returns a coordinate. Returns `nil` and counts the point if it cannot be read.
    private mutating func coordinate(
        _ name: String, of tag: XMLTag, _ kind: GPXPoint.Kind, limit: Double
    ) -> Double? {
        guard let text = tag.attribute(name) else {
            skip(kind, \.points, "<\(tag.name)> lacks \(name)")
            return nil
        }
        guard let value = Self.number(text), value.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            skip(kind, \.points, "\(name)=\"\(text)\" of <\(tag.name)> is not a number of degrees from \(range)")
            return nil
        }
        return value
    }

    /// Counts a point or a value that cannot be read.
    private mutating func skip(_ kind: GPXPoint.Kind, _ count: WritableKeyPath<GPXSkipped, UInt64>, _ message: String) {
        var skipped = skipped(kind)
        skipped[keyPath: count] += 1
        if skipped.first == nil { skipped.first = failure(message) }
        skippedByKind[kind] = skipped
    }

    private mutating func append(_ byte: UInt8) {
        if byte <= 0x20, (element!.text.last ?? 0x20) <= 0x20 { return }
        if element!.text.count <= Self.maximumTextLength { element!.text.append(byte) }
    }

    /// Handles an element within a point. The point's own elements count, and the speed of extensions. Inside
    /// extensions, `time` and `ele` have other meanings.
    private mutating func handleElement(_ tag: XMLTag) {
        guard point != nil else { return }
        switch tag.kind {
        case .opening:
            let isOwn = depth == 0 && tag.prefix == prefix && ["ele", "time", "sat", "speed"].contains(tag.name)
            element = isOwn || tag.name == "speed" ? (isOwn ? tag.name : "", []) : nil
            depth += 1
        case .selfClosing:
            if depth == 0, tag.prefix == prefix { apply("", of: tag.name, isWhole: true) }
        case .closing:
            depth = max(0, depth - 1)
            guard let (name, bytes) = element else { return }
            element = nil
            let text = String(decoding: bytes.last ?? 0x21 <= 0x20 ? bytes.dropLast() : bytes[...], as: UTF8.self)
            apply(text, of: name, isWhole: bytes.count <= Self.maximumTextLength)
        }
    }

    /// Applies the text of an element of the point. The name is empty for the speed of an extension.
    private mutating func apply(_ text: String, of name: String, isWhole: Bool) {
        let number = isWhole ? Self.number(text) : nil
        switch name {
        case "ele":
            point?.elevation = number.flatMap { $0.magnitude <= 100_000 ? $0 : nil }
            if point?.elevation == nil {
                skipValue("<ele> contains \"\(text)\", which is not a number of metres from -100000 to 100000")
            }
        case "time": if text.isEmpty { skipValue("<time> is empty") } else { point?.time = text }
        case "sat":
            point?.satellites = number
            if number == nil { skipValue("<sat> contains \"\(text)\", which is not a number") }
        case "speed":
            point?.speed = number
            if number == nil { skipValue("<speed> contains \"\(text)\", which is not a number") }
        case "": if extensionSpeed == nil { extensionSpeed = number }
        default: break
        }
    }

    private mutating func skipValue(_ message: String) {
        if let point { skip(point.kind, \.values, message) }
    }

    /// Parses a decimal number as defined by XML Schema, with optional surrounding white space.
    private static func number(_ text: String) -> Double? {
        let digits = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }) else {
            return nil
        }
        return Double(String(decoding: digits, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
