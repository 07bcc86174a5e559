internal import Foundation
internal import TOMLKit

/// The text of a TOML file, and the file's name in errors.
package struct TOMLText {
    let text: String
    let file: String

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
            throw ConfigurationError(file: file, line: nil, "cannot be read: \(error.localizedDescription)")
        }
    }

    /// Decodes the text as a value that knows every key in it. `allowed` are the keys that an error lists.
    package func decode<Value: Decodable>(_ type: Value.Type, allowed: [String]) throws(ConfigurationError) -> Value {
        if let line = line(of: "\0") { throw ConfigurationError(file: file, line: line, Self.zero) }
        do {
            let table = try TOMLTable(string: text)
            if Self.hasZero(table) {
                throw ConfigurationError(file: file, line: line(of: #"\u0000"#) ?? line(of: #"\U00000000"#), Self.zero)
            }
            return try TOMLDecoder(strictDecoding: true).decode(type, from: table)
        } catch let error as ConfigurationError {
            throw error
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
            let place = path.description
            throw ConfigurationError(
                file: file, line: path.line(in: text), place.isEmpty ? message : "\(place): \(message)")
        } catch {
            throw ConfigurationError(file: file, line: nil, "\(error)")
        }
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
