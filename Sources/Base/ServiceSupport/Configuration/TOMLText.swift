internal import Bytewise
internal import ForeignText
internal import Foundation
internal import Glibc
internal import TOMLKit

/// The text of a TOML file, with the file's name for errors.
package struct TOMLText {
    let text: String
    package let file: String

    /// Creates the text of a file with this name.
    package init(_ text: String, file: String) {
        self.text = text
        self.file = file
    }

    /// Reads a file.
    package init(contentsOf file: String) throws(ConfigurationError) {
        do {
            self.init(try String(contentsOfFile: file, encoding: .utf8), file: file)
        } catch {
            let reason = access(file, R_OK) == 0 ? error.localizedDescription : String(cString: strerror(errno))
            throw ConfigurationError(file: file, line: nil, "cannot be read: \(reason)")
        }
    }

    /// Decodes the text as a value that knows all of its keys.
    ///
    /// - Parameter allowed: The paths of the keys, such as `gpsd.listen` and `receiver[].source`. Empty if the type
    ///   itself refuses unknown keys.
    package func decode<Value: Decodable>(_ type: Value.Type, allowed: [String]) throws(ConfigurationError) -> Value {
        if let line = line(of: "\0") { throw ConfigurationError(file: file, line: line, Self.zero) }
        do {
            let table = try TOMLTable(string: text)
            if Self.hasZero(table) {
                throw ConfigurationError(file: file, line: line(of: #"\u0000"#) ?? line(of: #"\U00000000"#), Self.zero)
            }
            if !allowed.isEmpty { try refuseUnknownKeys(in: table, allowed) }
            return try TOMLDecoder(strictDecoding: true).decode(type, from: table)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as TOMLParseError {
            let advice =
                error.description.contains("could not determine value type")
                ? " (a value is true or false, a number, a text in quotes, or a list in brackets)" : ""
            throw ConfigurationError(
                file: file, line: error.source.begin.line,
                "column \(error.source.begin.column): \(error.description)\(advice)")
        } catch let error as DecodingError {
            let (path, message) = Self.explain(error)
            let place = path.description
            throw ConfigurationError(
                file: file, line: path.line(in: text), place.isEmpty ? message : "\(place): \(message)")
        } catch {
            throw ConfigurationError(file: file, line: nil, "\(error)")
        }
    }

    /// Refuses an unknown key before any other problem of the file is reported: a missing key may be there under a
    /// mistyped name.
    private func refuseUnknownKeys(in table: TOMLTable, _ allowed: [String]) throws(ConfigurationError) {
        var mistakes: [(line: Int, message: String)] = []
        func add(_ path: [PathKey], _ message: String) {
            mistakes.append((ConfigurationKeyPath(path).line(in: text) ?? .max, message))
        }
        func search(_ table: TOMLTable, at path: [PathKey]) {
            for key in table.keys {
                let path = path + [PathKey(key)]
                let name = path.reduce("") { name, key in
                    key.intValue != nil ? name + "[]" : name.isEmpty ? key.stringValue : "\(name).\(key.stringValue)"
                }
                if allowed.contains(name) { continue }
                if allowed.contains(where: { $0.hasPrefix(name + ".") }) {
                    if let inner = table[key]?.table { search(inner, at: path) }
                } else if allowed.contains(where: { $0.hasPrefix(name + "[].") }) {
                    if table[key]?.table != nil { add(path, "write [[\(name)]]: there may be several") }
                    for (index, element) in (table[key]?.array.map(Array.init) ?? []).enumerated() {
                        if let inner = element.table { search(inner, at: path + [PathKey(index)]) }
                    }
                } else {
                    let advice =
                        Spelling.nearest(to: name, among: allowed).map { ": did you mean \($0)?" }
                        ?? "; allowed are \(allowed.joined(separator: ", "))"
                    add(path, "unknown key \(ConfigurationKeyPath(path))\(advice)")
                }
            }
        }
        search(table, at: [])
        guard let first = mistakes.min(by: { $0.line < $1.line }) else { return }
        throw ConfigurationError(file: file, line: first.line == .max ? nil : first.line, first.message)
    }

    /// Returns the line of a key in one table of a list of tables, counted from 1, or `nil` if it is not found.
    package func line(of key: String, in table: String, _ index: Int) -> Int? {
        ConfigurationKeyPath([PathKey(table), PathKey(index), PathKey(key)]).line(in: text)
    }

    private static let zero = "a zero character cannot be used"

    /// Returns whether a text in the table has a zero character.
    ///
    /// Attack: TOMLKit passes on texts as C does, up to the first zero, so no rule sees the rest. An app whose name has
    /// a zero is forbidden the location, but the rule applies to an app with a shorter name.
    private static func hasZero(_ table: TOMLTable) -> Bool {
        // JSON writes a zero as an escape, and a backslash as two.
        table.convert(to: .json).replacing(#"\\"#, with: "").contains(#"\u0000"#)
    }

    /// Returns the number of the first line that contains these characters, or `nil` if no line does.
    private func line(of characters: String) -> Int? {
        guard let range = text.range(of: characters, options: .literal) else { return nil }
        return text.utf8[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
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

    /// Returns a description of values of this type in a TOML file.
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
