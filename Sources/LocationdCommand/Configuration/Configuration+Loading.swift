internal import Foundation
internal import Receivers
internal import TOMLKit

/// An error in the configuration: its place, and what is allowed there.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String

    init(file: String, line: Int?, _ message: String) {
        description = "\(file):\(line.map { "\($0): " } ?? " ")\(message)"
    }
}

extension Configuration {
    /// Reads the `.toml` files in `packages`, then `file`, and then those in the folder `conf.d` next to it; the files
    /// of a folder in the order of their names.
    ///
    /// - Parameters:
    ///   - packages: The folder of other packages' configuration, or `nil` to read none.
    ///   - required: `true` if it is an error that `file` does not exist, as when a user named it.
    init(packages: String?, file: String, required: Bool) throws(ConfigurationError) {
        self.init()
        if let packages { try merge(folder: packages) }
        if required || FileManager.default.fileExists(atPath: file) { merge(try Self.read(file)) }
        try merge(
            folder: URL(filePath: file).deletingLastPathComponent().appending(path: "conf.d")
                .path(percentEncoded: false))
    }

    private mutating func merge(folder: String) throws(ConfigurationError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".toml") { merge(try Self.read("\(folder)/\(name)")) }
    }

    private static func read(_ file: String) throws(ConfigurationError) -> ConfigurationFile {
        let text: String
        do {
            text = try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw ConfigurationError(file: file, line: nil, "cannot be read: \(error.localizedDescription)")
        }
        return try parse(text, file: file)
    }

    /// Parses the text of one file. `file` is the file's name in errors.
    static func parse(_ text: String, file: String) throws(ConfigurationError) -> ConfigurationFile {
        try TOMLText(text, file: file).decode(ConfigurationFile.self, allowed: ConfigurationKeyPath.allowed)
    }
}

/// The text of a TOML file, and the file's name in errors.
struct TOMLText {
    let text: String
    let file: String

    init(_ text: String, file: String) {
        self.text = text
        self.file = file
    }

    /// Decodes the text as a value that knows every key in it. `allowed` are the keys that an error lists.
    func decode<Value: Decodable>(_ type: Value.Type, allowed: [String]) throws(ConfigurationError) -> Value {
        do {
            return try TOMLDecoder(strictDecoding: true).decode(type, from: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError(
                file: file, line: error.source.begin.line, "column \(error.source.begin.column): \(error.description)")
        } catch let error as UnexpectedKeysError {
            let path = error.keys.values.min { $0.map(\.stringValue).joined() < $1.map(\.stringValue).joined() } ?? []
            throw ConfigurationError(
                file: file, line: ConfigurationKeyPath(path).line(in: text),
                "unknown key \(ConfigurationKeyPath(path)); allowed are \(allowed.joined(separator: ", "))")
        } catch let error as DecodingError {
            let (path, message) = Self.explain(error)
            throw ConfigurationError(file: file, line: path.line(in: text), "\(path): \(message)")
        } catch {
            throw ConfigurationError(file: file, line: nil, "\(error)")
        }
    }

    private static func explain(_ error: DecodingError) -> (ConfigurationKeyPath, String) {
        switch error {
        case .keyNotFound(let key, let context):
            // TOMLKit also throws this for a value of a different type.
            return (
                ConfigurationKeyPath(context.codingPath),
                "the key \(key.stringValue) is missing, or its value has the wrong type"
            )
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return (ConfigurationKeyPath(context.codingPath), "the value must be \(description(of: type))")
        case .dataCorrupted(let context):
            return (ConfigurationKeyPath(context.codingPath), context.debugDescription)
        @unknown default:
            return (ConfigurationKeyPath([]), "\(error)")
        }
    }

    /// Returns the words for a value of this type in a TOML file.
    private static func description(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text in quotes"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is TOMLArray.Type: "a list in brackets"
        default: "a table"
        }
    }
}

/// The path to a value in a configuration file, such as `receiver[1].source`.
struct ConfigurationKeyPath: CustomStringConvertible {
    private let keys: [any CodingKey]

    static let allowed = [
        "log-level", "limits.connections-per-user", "receiver[].source", "receiver[].name", "receiver[].power",
        "receiver[].delay", "discover", "in-use", "exit-when-idle", "restricted[].app", "restricted[].uid",
        "gpsd.listen", "gpsd.socket", "geoclue.enabled",
        "time.chrony-socket", "time.pps", "time.chrony-pps-socket",
    ]

    init(_ keys: [any CodingKey]) {
        self.keys = keys
    }

    var description: String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return path + "[\(index)]" }
            return path.isEmpty ? key.stringValue : path + "." + key.stringValue
        }
    }

    /// Returns the line of the value or, if it is missing, of its table, counted from 1, or `nil` if neither is found.
    ///
    /// The parser keeps no positions, so this searches for the n-th header of the table, and then for the key below it.
    func line(in text: String) -> Int? {
        var table = ""
        var seen: [String: Int] = [:]
        var best: Int?
        let wantedTable = keys.count > 1 ? keys[0].stringValue : ""
        let wantedIndex = keys.count > 1 ? keys[1].intValue ?? 0 : 0
        let wantedKey = keys.last { $0.intValue == nil }?.stringValue
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                table = line.trimmingCharacters(in: CharacterSet(charactersIn: "[] "))
                seen[table, default: 0] += 1
                if table == wantedKey, keys.count == 1 { return number + 1 }
                if table == wantedTable, seen[table] == wantedIndex + 1 { best = number + 1 }
            } else if let equals = line.firstIndex(of: "="), table == wantedTable,
                table.isEmpty || seen[table] == wantedIndex + 1,
                line[..<equals].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'")) == wantedKey
            {
                return number + 1
            }
        }
        // The value is in a table that is written on one line.
        return best ?? (keys.count > 1 ? ConfigurationKeyPath([keys[0]]).line(in: text) : nil)
    }
}
