internal import ForeignText
internal import Foundation
internal import Glibc
internal import TOMLKit

/// A key of a table, or the index of an element of a list.
private struct TOMLKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(intValue) }
}

/// The text of a TOML file, and the file's name in errors.
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

    /// Decodes the text as a value that knows every key in it.
    ///
    /// - Parameter allowed: The paths of the keys, such as `gpsd.listen` and `receiver[].source`; none if the type
    ///   refuses unknown keys itself.
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

    /// Refuses a key that is none of the allowed ones, before anything else is said about the file: a key that is
    /// missing may be there under a mistyped name.
    private func refuseUnknownKeys(in table: TOMLTable, _ allowed: [String]) throws(ConfigurationError) {
        var mistakes: [(line: Int, message: String)] = []
        func note(_ path: [TOMLKey], _ message: String) {
            mistakes.append((ConfigurationKeyPath(path).line(in: text) ?? .max, message))
        }
        func search(_ table: TOMLTable, at path: [TOMLKey]) {
            for key in table.keys {
                let path = path + [TOMLKey(key)]
                let name = path.reduce("") { name, key in
                    key.intValue != nil ? name + "[]" : name.isEmpty ? key.stringValue : "\(name).\(key.stringValue)"
                }
                if allowed.contains(name) { continue }
                if allowed.contains(where: { $0.hasPrefix(name + ".") }) {
                    if let inner = table[key]?.table { search(inner, at: path) }
                } else if allowed.contains(where: { $0.hasPrefix(name + "[].") }) {
                    if table[key]?.table != nil { note(path, "write [[\(name)]]: there may be several") }
                    for (index, element) in (table[key]?.array.map(Array.init) ?? []).enumerated() {
                        if let inner = element.table { search(inner, at: path + [TOMLKey(index)]) }
                    }
                } else {
                    let advice =
                        Spelling.nearest(to: name, among: allowed).map { ": did you mean \($0)?" }
                        ?? "; allowed are \(allowed.joined(separator: ", "))"
                    note(path, "unknown key \(ConfigurationKeyPath(path))\(advice)")
                }
            }
        }
        search(table, at: [])
        guard let first = mistakes.min(by: { $0.line < $1.line }) else { return }
        throw ConfigurationError(file: file, line: first.line == .max ? nil : first.line, first.message)
    }

    /// Returns the line of a key in the table with this index of a list of tables, counted from 1, or `nil` if it is
    /// not found.
    package func line(of key: String, in table: String, _ index: Int) -> Int? {
        ConfigurationKeyPath([TOMLKey(table), TOMLKey(index), TOMLKey(key)]).line(in: text)
    }

    private static let zero = "a zero character cannot be used"

    /// Returns whether a text in the table has a zero character.
    ///
    /// Attack: TOMLKit passes on texts as C does, up to the first zero, and what follows is not seen by any rule. An
    /// app that is forbidden the location under a name that goes on is another app than the file says.
    private static func hasZero(_ table: TOMLTable) -> Bool {
        // In JSON it is written as an escape, and a backslash as two.
        table.convert(to: .json).replacing(#"\\"#, with: "").contains(#"\u0000"#)
    }

    /// Returns the number of the first line with these characters, or `nil` if there is none.
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
