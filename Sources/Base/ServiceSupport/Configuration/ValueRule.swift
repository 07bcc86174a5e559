internal import ForeignText

/// A rule for the values of a configuration key.
package protocol ValueRule {
    /// The type that the file contains.
    associatedtype Written: Decodable
    /// The type of the resulting value.
    associatedtype Value

    /// Returns the value for its written form. The error says which values are allowed.
    func value(of written: Written) throws(InvalidValue) -> Value
}

/// The error for an invalid value. It says which values are allowed.
package struct InvalidValue: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) {
        self.message = message
    }
}

extension KeyedDecodingContainer {
    /// Decodes the value of a key. An error names the value's place.
    package func decode<Rule: ValueRule>(_ key: Key, by rule: Rule) throws -> Rule.Value {
        try decode(WrittenValue<Rule>.self, forKey: key).value(by: rule)
    }

    /// Decodes the value of a key, or returns `nil` if the key is missing.
    package func decodeIfPresent<Rule: ValueRule>(_ key: Key, by rule: Rule) throws -> Rule.Value? {
        try decodeIfPresent(WrittenValue<Rule>.self, forKey: key)?.value(by: rule)
    }

    /// Decodes a list of values, or returns `nil` if the key is missing.
    package func decodeListIfPresent<Rule: ValueRule>(_ key: Key, by rule: Rule) throws -> [Rule.Value]? {
        try decodeIfPresent([WrittenValue<Rule>].self, forKey: key)?.map { try $0.value(by: rule) }
    }
}

/// A value as it is written, with its place.
private struct WrittenValue<Rule: ValueRule>: Decodable {
    let written: Rule.Written
    let place: [any CodingKey]

    init(from decoder: any Decoder) throws {
        written = try decoder.singleValueContainer().decode(Rule.Written.self)
        place = decoder.codingPath
    }

    func value(by rule: Rule) throws -> Rule.Value {
        do {
            return try rule.value(of: written)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: place, debugDescription: error.message))
        }
    }
}

/// An error in the configuration, with its place and the allowed values.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter line: The line of the error, counted from 1, or `nil` if it is not known.
    package init(file: String, line: Int?, _ message: String) {
        // The message may repeat text from the file.
        description = ForeignText.line("\(file):\(line.map { "\($0): " } ?? " ")\(message)")
    }
}
