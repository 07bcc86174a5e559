/// A protocol other than NMEA 0183, recognized by its first bytes.
package enum ForeignProtocol: String, Sendable, CaseIterable {
    /// The JSON of gpsd.
    case gpsd
    /// Other JSON, such as Signal K's.
    case json
    case http
    /// A caster of corrections: NTRIP 1.0, section 4.
    case ntrip
    case tls
    case ssh

    /// The name of the protocol and the remedy, for the log.
    package var explanation: String {
        switch self {
        case .gpsd: "gpsd's JSON: read it with source = \"gpsd:HOST:PORT\" in locationd.toml"
        case .json: "JSON: have it send NMEA 0183, which Signal K's servers do at TCP port 10110"
        case .http: "HTTP: name the port at which it sends NMEA"
        case .ntrip: "NTRIP, which has corrections for a receiver and no position"
        case .tls: "TLS: name a port at which it sends NMEA without encryption"
        case .ssh: "SSH: name the port at which it sends NMEA"
        }
    }

    private var beginnings: [String] {
        switch self {
        case .gpsd: ["{\"class\":"]
        case .json: ["{\"", "{ \"", "{\n", "{\r\n", "[{"]
        case .http: ["HTTP/1.", "GET /", "POST /", "HEAD /", "OPTIONS *"]
        case .ntrip: ["ICY 200", "SOURCETABLE "]
        // RFC 8446, section 5.1: a record of type 22, with the version that every record states.
        case .tls: ["\u{16}\u{3}"]
        case .ssh: ["SSH-2.0"]
        }
    }

    fileprivate static let all = allCases.flatMap { kind in kind.beginnings.map { (Array($0.utf8), kind) } }
    /// The number of bytes needed to decide.
    fileprivate static let longest = all.map(\.0.count).max() ?? 0
}

/// Recognizes a protocol other than NMEA 0183 by the first bytes of a connection, however they are split.
package struct ProtocolRecognition {
    private var first: [UInt8] = []
    private var isDecided = false

    /// Creates a recognition that has seen nothing.
    package init() {}

    /// Examines the next bytes. Returns the protocol once, as soon as it is known.
    package mutating func examine(_ bytes: some Sequence<UInt8>) -> ForeignProtocol? {
        guard !isDecided else { return nil }
        first += bytes.prefix(ForeignProtocol.longest - first.count)
        // Other JSON starts like gpsd's.
        if ForeignProtocol.all.contains(where: { $0.0.count > first.count && $0.0.starts(with: first) }) { return nil }
        isDecided = true
        return ForeignProtocol.all.filter { first.starts(with: $0.0) }.max { $0.0.count < $1.0.count }?.1
    }
}
