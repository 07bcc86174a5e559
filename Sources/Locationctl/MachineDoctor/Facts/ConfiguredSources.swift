internal import Devices

/// The statements about ports in locationd's configuration files. They are searched, not parsed: the daemon itself
/// reports mistakes, and may not be running.
struct ConfiguredSources: Sendable, Equatable {
    /// The receivers.
    var receivers: [ReceiverSpecification] = []
    /// The PPS device, or `nil` if none is stated.
    var pulseDevice: String?

    /// A Boolean value indicating whether a file says that a receiver takes corrections.
    private(set) var statesCorrections = false
    /// A Boolean value indicating whether a file switches the search for other receivers on or off.
    private(set) var statesDiscovery = false
    /// The file that names a receiver, by its source without a rate.
    private var files: [ReceiverSpecification: String] = [:]

    /// Adds the statements of a file.
    mutating func add(_ text: String, file: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            if line.split(separator: "=").first?.filter({ !$0.isWhitespace }) == "discover" { statesDiscovery = true }
            if line.filter({ !$0.isWhitespace }).hasPrefix("corrections=true") { statesCorrections = true }
            guard let (key, value) = Self.entry(line) else { continue }
            switch key {
            case "source": add(source: value, file)
            case "pps", "time.pps": pulseDevice = value
            default: break
            }
        }
    }

    /// Returns the file that names a port as a receiver, or `nil` if no file does.
    func file(ofPort path: String) -> String? { files[.serial(path: path, baudRate: nil)] }

    /// Returns the file that names a receiver with any baud rate, or `nil` if no file does.
    func file(of source: String) -> String? {
        (try? ReceiverSpecification(parsing: source)).flatMap { files[$0.withoutRate] }
    }

    private mutating func add(source: String, _ file: String) {
        guard let source = try? ReceiverSpecification(parsing: source) else { return }
        receivers.append(source)
        files[source.withoutRate] = file
    }

    /// Returns the key and the text of a line `key = "text"`.
    static func entry(_ line: Substring) -> (key: String, value: String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let key = line[..<equals].filter { !$0.isWhitespace }
        let rest = line[line.index(after: equals)...].drop(while: \.isWhitespace)
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        let value = rest.dropFirst().prefix { $0 != quote }
        return (key, String(value))
    }
}
