/// The settings in a Raspberry Pi's `config.txt`, as the firmware reads them.
///
/// Sources: the Raspberry Pi documentation, "config.txt" (conditional filters, `include`), and the firmware's
/// `overlays/README`.
struct BootConfiguration: Sendable, Equatable {
    /// The last value of each key, apart from `dtparam` and `dtoverlay`.
    private(set) var values: [String: String] = [:]
    /// The values of the device tree's parameters; `on` if there is none.
    private(set) var parameters: [String: String] = [:]
    /// The names of the device tree overlays.
    private(set) var overlays: Set<String> = []

    /// Files that include each other end at this depth.
    private static let maximumDepth = 8

    /// Parses the text of the file.
    ///
    /// - Parameters:
    ///   - filters: The names of the sections that apply to the machine, such as `pi4`. A section with a condition that
    ///     is not a model counts as one that applies, so that nothing is said to be missing that may be there.
    ///   - include: Returns the text of a file that is included, or `nil` if it cannot be read.
    init(_ text: String, filters: Set<String>, include: (String) -> String? = { _ in nil }) {
        parse(text, filters, include, depth: 0)
    }

    private mutating func parse(
        _ text: String, _ filters: Set<String>, _ include: (String) -> String?, depth: Int
    ) {
        guard depth < Self.maximumDepth else { return }
        var applies = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.prefix { $0 != "#" }.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                applies = Self.applies(line.dropFirst().dropLast().lowercased(), filters)
            } else if applies, line.hasPrefix("include "), let included = include(String(line.dropFirst(8).trimmed)) {
                parse(included, filters, include, depth: depth + 1)
            } else if applies, let equals = line.firstIndex(of: "=") {
                set(String(line[..<equals].trimmed), line[line.index(after: equals)...].trimmed)
            }
        }
    }

    private static func applies(_ filter: String, _ filters: Set<String>) -> Bool {
        guard filter != "none" else { return false }
        return !(filter.hasPrefix("pi") || filter.hasPrefix("cm")) || filters.contains(filter)
    }

    private mutating func set(_ key: String, _ value: Substring) {
        switch key {
        case "dtoverlay", "device_tree_overlay": overlays.insert(String(value.prefix { $0 != "," }.trimmed))
        case "dtparam", "device_tree_param":
            for parameter in value.split(separator: ",") {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard let name = parts.first else { continue }
                parameters[String(name.trimmed)] = parts.count > 1 ? String(parts[1].trimmed) : "on"
            }
        default: values[key] = String(value)
        }
    }

    /// Returns whether a parameter of the device tree is switched on.
    func isOn(_ parameter: String) -> Bool {
        parameters[parameter].map { ["on", "1", "true", "yes", "okay"].contains($0) } ?? false
    }
}
