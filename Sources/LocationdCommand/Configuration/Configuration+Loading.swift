internal import Foundation
internal import Receivers
internal import TOMLKit

/// What is wrong with the configuration: where, and what is allowed there.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String

    init(file: String, line: Int?, _ message: String) {
        description = "\(file):\(line.map { "\($0): " } ?? " ")\(message)"
    }
}

extension Configuration {
    /// Reads `file` and then, in the order of their names, the `.toml` files of the folder `conf.d` beside it.
    ///
    /// - Parameter required: whether it is an error that there is no such file, as it is when a user named it.
    init(file: String, required: Bool) throws(ConfigurationError) {
        self.init()
        if required || FileManager.default.fileExists(atPath: file) { merge(try Self.read(file)) }
        let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "conf.d").path(
            percentEncoded: false)
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

    /// Reads the text of one file; `file` is its name in errors.
    static func parse(_ text: String, file: String) throws(ConfigurationError) -> ConfigurationFile {
        try TOMLText(text, file: file).decode(ConfigurationFile.self, allowed: KeyPath.allowed)
    }
}

/// The text of a TOML file, and what the file is called in errors.
struct TOMLText {
    let text: String
    let file: String

    init(_ text: String, file: String) {
        self.text = text
        self.file = file
    }

    /// Reads it as a value that takes every key in it; `allowed` are those that an error names.
    func decode<Value: Decodable>(_ type: Value.Type, allowed: [String]) throws(ConfigurationError) -> Value {
        do {
            return try TOMLDecoder(strictDecoding: true).decode(type, from: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError(
                file: file, line: error.source.begin.line, "column \(error.source.begin.column): \(error.description)")
        } catch let error as UnexpectedKeysError {
            let path = error.keys.values.min { $0.map(\.stringValue).joined() < $1.map(\.stringValue).joined() } ?? []
            throw ConfigurationError(
                file: file, line: KeyPath(path).line(in: text),
                "unknown key \(KeyPath(path)); allowed are \(allowed.joined(separator: ", "))")
        } catch let error as DecodingError {
            let (path, message) = Self.explain(error)
            throw ConfigurationError(file: file, line: path.line(in: text), "\(path): \(message)")
        } catch {
            throw ConfigurationError(file: file, line: nil, "\(error)")
        }
    }

    private static func explain(_ error: DecodingError) -> (KeyPath, String) {
        switch error {
        case .keyNotFound(let key, let context):
            // TOMLKit throws this for a value of another type too.
            return (
                KeyPath(context.codingPath), "the key \(key.stringValue) is missing, or its value is of another type"
            )
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let expected =
                type is String.Type
                ? "a text in quotes"
                : type is Int.Type ? "a whole number" : type is Bool.Type ? "true or false" : "a table"
            return (KeyPath(context.codingPath), "\(expected) is allowed here")
        case .dataCorrupted(let context):
            return (KeyPath(context.codingPath), context.debugDescription)
        @unknown default:
            return (KeyPath([]), "\(error)")
        }
    }
}

/// The place of a value in a configuration file: `receiver[1].source`.
struct KeyPath: CustomStringConvertible {
    private let keys: [any CodingKey]

    static let allowed = [
        "log-level", "limits.connections-per-user", "receiver[].source", "receiver[].name", "receiver[].power",
        "discover", "in-use", "exit-when-idle", "restricted[].app", "restricted[].uid",
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

    /// The line of the value, counted from 1; of its table where it is missing. The parser keeps no places, so it is
    /// looked for: the n-th header of the table, then the key below it.
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
        // Within a table that is written in one line.
        return best ?? (keys.count > 1 ? KeyPath([keys[0]]).line(in: text) : nil)
    }
}
