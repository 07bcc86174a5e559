/// Reads the places of a GPX 1.0 or 1.1 file: its track's, or without one its route's, or else its waypoints.
struct GPXReader {
    /// What is wrong with a file.
    struct Failure: Error, Equatable {
        /// From 1.
        var line: Int
        var message: String
    }

    /// A week at 1 Hz fits.
    static let maximumPlaces = 1_000_000

    private var scanner = GPXScanner()
    private var tracks: [Route.Place] = []
    private var routes: [Route.Place] = []
    private var waypoints: [Route.Place] = []
    /// The place whose element is open.
    private var place: (element: String, value: Route.Place)?
    /// The text of the `ele` element that is open.
    private var elevation: [UInt8]?
    private var hasRoot = false
    private var isComplete = false

    /// Takes the next bytes of the file.
    mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
        for index in bytes.indices {
            let token: GPXScanner.Token?
            do throws(GPXScanner.Failure) { token = try scanner.take(bytes[index]) } catch {
                throw failure("a tag is longer than \(GPXScanner.maximumTagLength) bytes")
            }
            switch token {
            case .tag(let tag): try handle(XMLTag(tag))
            case .text(let byte): if elevation != nil, elevation!.count < 64 { elevation!.append(byte) }
            case nil: break
            }
        }
    }

    /// The places, one at least, once the whole file is read.
    func finish() throws(Failure) -> [Route.Place] {
        guard scanner.isBetweenTags, isComplete else {
            throw failure(hasRoot ? "the file ends before </gpx>" : "there is no <gpx> element: this is no GPX file")
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
            throw failure("\(name)=\"\(text)\" of <\(tag.name)> is no number of degrees from \(range)")
        }
        return value
    }

    private mutating func handleElevation(_ tag: XMLTag) throws(Failure) {
        switch tag.kind {
        case .opening: elevation = place == nil ? nil : []
        case .selfClosing: break
        case .closing:
            guard let bytes = elevation else { return }
            elevation = nil
            let text = String(decoding: bytes, as: UTF8.self)
            guard let value = Self.number(text), value.magnitude <= 100_000 else {
                throw failure("<ele> holds \"\(text)\", which is no number of metres")
            }
            place?.value.altitude = value
        }
    }

    /// A decimal number as XML Schema writes it, with white space around it.
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
