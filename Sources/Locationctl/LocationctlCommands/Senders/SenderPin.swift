internal import AuthorizationPolicy
internal import ForeignText
internal import Glibc
internal import LocationctlSupport
internal import MachineDoctor
internal import NMEARelay

/// The sender that an instance of locationd-nmea(8) receives from, as the keys of its file state it.
struct SenderPin: Equatable, Sendable {
    static let heading = "# By `locationctl receivers --accept`"

    /// The value of the key `from`.
    let from: String
    /// The address in the key `allow`, or `nil` if there is none.
    let allow: String?

    /// Creates the pin of an announcement.
    ///
    /// - Parameter namesHost: `true` to connect to a server by its host name.
    init(_ announcement: Announcement, namesHost: Bool) {
        switch announcement.transport {
        case .tcp:
            let host = namesHost ? announcement.host : announcement.addressText
            from = "\(ReceiveSource.server(host: host, port: announcement.port))"
            allow = nil
        case .udp:
            let everywhere = announcement.address.bytes.count == 4 ? "0.0.0.0" : "::"
            from = "\(ReceiveSource.datagrams(address: everywhere, port: announcement.port))"
            allow = "\(announcement.address)"
        }
    }

    /// Returns the possible pins of an accepted announcement.
    static func all(of announcement: Announcement) -> [SenderPin] {
        [true, false].map { SenderPin(announcement, namesHost: $0) }
    }

    /// Reads a file, or returns `nil` if it does not name a sender. The file is searched, not parsed: locationd-nmea(8)
    /// reports mistakes.
    init?(parsing text: String) {
        var entries: [String: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].filter { !$0.isWhitespace }
            if entries[key] == nil { entries[key] = line[line.index(after: equals)...] }
        }
        guard let from = Self.quotedTexts(entries["from"] ?? "").first else { return nil }
        self.from = (try? ReceiveSource(parsing: from)).map { "\($0)" } ?? from
        let allowed = Self.quotedTexts(entries["allow"] ?? "")
        allow = allowed.isEmpty ? nil : allowed.joined(separator: ", ")
    }

    private static func quotedTexts(_ value: Substring) -> [String] {
        let parts = value.prefix { $0 != "#" }.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Returns the file of an instance.
    func file(_ announcement: Announcement) -> String {
        // Attack: a name with a line break continues as a key of the file.
        let name = DisplayText.quoted(announcement.name)
        let allowed = allow.map { "allow = [\(TOMLSpelling.text($0))]\n" } ?? ""
        return """
            \(Self.heading): \(name), which \(announcement.host) announced.
            from = \(TOMLSpelling.text(from))
            \(allowed)
            """
    }

    /// The text for users.
    var text: String { allow.map { "\(from) from \($0)" } ?? from }

    /// Returns the name of the instance for a sender's name: ASCII letters and digits, and single hyphens.
    ///
    /// Attack: a name with slashes, dots or characters special to systemd leads to another file or another unit.
    static func instance(of name: String) -> String {
        var instance = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                instance.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): instance.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if !instance.isEmpty, instance.last != "-" { instance += "-" }
            }
        }
        if instance.last == "-" { instance.removeLast() }
        return instance.isEmpty ? "sender" : instance
    }
}

/// The instances of locationd-nmea(8) that receive from the network.
struct AcceptedSenders: Sendable {
    /// Each instance with its sender, by name.
    let pins: [(instance: String, pin: SenderPin)]

    /// Reads the files of a folder. Unreadable files are left out.
    init(in folder: String) {
        let files = SystemRoot(folder)
        pins = files.names(in: "/").filter { $0.hasSuffix(".toml") }.compactMap { name in
            files.text("/" + name).flatMap(SenderPin.init(parsing:)).map { (String(name.dropLast(5)), $0) }
        }
    }

    /// Returns the name of the instance that receives from an announced sender, or `nil` if there is none.
    func instance(for announcement: Announcement) -> String? {
        let candidates = SenderPin.all(of: announcement)
        return pins.first { candidates.contains($0.pin) }?.instance
    }
}
