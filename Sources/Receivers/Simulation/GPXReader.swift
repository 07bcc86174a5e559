/// A parser for the places in a GPX 1.0 or 1.1 file: those of its track, else those of its route, else its waypoints.
struct GPXReader {
    /// A problem in a file.
    struct Failure: Error, Equatable {
        /// The line number, counted from 1.
        var line: Int
        var message: String
    }

    /// The maximum number of places. A week at 1 Hz fits.
    static let maximumPlaces = 1_000_000

    private var scanner = GPXScanner()
    private var tracks: [Route.Place] = []
    private var routes: [Route.Place] = []
    private var waypoints: [Route.Place] = []
    /// The place whose element is open.
    private var place: (element: String, value: Route.Place)?
    /// The maximum length of a number in an `ele` element, in bytes.
    private static let maximumElevationLength = 64
    /// The text of the open `ele` element, without surrounding white space and with each run of it as one byte. Longer
    /// text than the maximum is cut behind the first byte that is too many.
    private var elevation: [UInt8]?
    private var hasRoot = false
    private var isComplete = false

    /// Parses the next bytes of the file.
    mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
        for index in bytes.indices {
            let token: GPXScanner.Token?
            do throws(GPXScanner.Failure) { token = try scanner.consume(bytes[index]) } catch {
                throw failure("a tag is longer than \(GPXScanner.maximumTagLength) bytes")
            }
            switch token {
            case .tag(let tag): try handle(XMLTag(tag))
            case .text(let byte): if elevation != nil { appendToElevation(byte) }
            case nil: break
            }
        }
    }

    /// Returns the places, at least one, after the whole file was parsed.
    func finish() throws(Failure) -> [Route.Place] {
        guard scanner.isBetweenTags, isComplete else {
            throw failure(hasRoot ? "the file ends before </gpx>" : "there is no <gpx> element: this is not a GPX file")
        }
        guard let places = [tracks, routes, waypoints].first(where: { !$0.isEmpty }) else {
            throw failure("there is no <trkpt>, <rtept> or <wpt> in the file")
        }
        return places
    }

    private mutating func handle(_ tag: XMLTag) throws(Failure) {
        if !hasRoot {
            guard tag.name == "gpx" else { throw failure("the file begins with <\(tag.name)>, not with <gpx>") }
            hasRoot = true
        }
        switch tag.name {
        case "gpx": if tag.kind != .opening { isComplete = true }
        case "trkpt", "rtept", "wpt": try handlePlace(tag)
        case "ele": try handleElevation(tag)
        default: break
        }
    }

    private mutating func handlePlace(_ tag: XMLTag) throws(Failure) {
        if tag.kind != .closing {
            place = (
                tag.name,
                Route.Place(
                    latitude: try coordinate("lat", of: tag, limit: 90),
                    longitude: try coordinate("lon", of: tag, limit: 180), altitude: 0)
            )
        }
        guard tag.kind != .opening, let (element, value) = place, element == tag.name else { return }
        place = nil
        guard tracks.count + routes.count + waypoints.count < Self.maximumPlaces else {
            throw failure("there are more than \(Self.maximumPlaces) places in the file")
        }
        switch element {
        case "trkpt": tracks.append(value)
        case "rtept": routes.append(value)
        default: waypoints.append(value)
        }
    }

    private func coordinate(_ name: String, of tag: XMLTag, limit: Double) throws(Failure) -> Double {
        guard let text = tag.attribute(name) else { throw failure("<\(tag.name)> lacks \(name)") }
        guard let value = Self.number(text), value.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            throw failure("\(name)=\"\(text)\" of <\(tag.name)> is not a number of degrees from \(range)")
        }
        return value
    }

    private mutating func appendToElevation(_ byte: UInt8) {
        if byte <= 0x20, (elevation!.last ?? 0x20) <= 0x20 { return }
        if elevation!.count <= Self.maximumElevationLength { elevation!.append(byte) }
    }

    private mutating func handleElevation(_ tag: XMLTag) throws(Failure) {
        switch tag.kind {
        case .opening: elevation = place == nil ? nil : []
        case .selfClosing: break
        case .closing:
            guard let bytes = elevation else { return }
            elevation = nil
            let text = String(decoding: bytes, as: UTF8.self)
            guard bytes.count <= Self.maximumElevationLength, let value = Self.number(text), value.magnitude <= 100_000
            else { throw failure("<ele> contains \"\(text)\", which is not a number of metres from -100000 to 100000") }
            place?.value.altitude = value
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

    private func failure(_ message: String) -> Failure {
        Failure(line: scanner.line, message: message)
    }
}
