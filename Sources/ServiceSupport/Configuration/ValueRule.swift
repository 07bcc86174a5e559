internal import ForeignText
package import Logging

/// A value that is checked while it is decoded, so that an error can name its place.
package struct Checked<Rule: ValueRule>: Decodable {
    package let value: Rule.Value

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            value = try Rule.value(of: try container.decode(Rule.Written.self))
        } catch let error as InvalidValue {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }
}

/// A rule for the values of a key.
package protocol ValueRule {
    /// The type in which the value is written.
    associatedtype Written: Decodable
    /// The type of the value.
    associatedtype Value

    /// Returns the value of its written form. Fails with what is allowed instead.
    static func value(of written: Written) throws(InvalidValue) -> Value
}

/// The error for an invalid value, with what is allowed instead.
package struct InvalidValue: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) {
        self.message = message
    }
}

/// True or false. With a rule, an error about the type names its place.
package enum FlagRule: ValueRule {
    package static func value(of written: Bool) -> Bool { written }
}

/// The least important messages that are logged.
package enum LogLevelRule: ValueRule {
    package static func value(of written: String) throws(InvalidValue) -> Logger.Level {
        guard let level = Logger.Level(rawValue: written) else {
            let allowed = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue("\"\(written)\" is not a log level: use one of \(allowed)")
        }
        return level
    }
}

/// A number in a TOML file, with or without a fraction.
package struct WrittenNumber: Decodable {
    /// The number.
    package let value: Double

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int.self) {
            value = Double(whole)
        } else {
            value = try container.decode(Double.self)
        }
    }
}

/// An error in the configuration: its place, and what is allowed there.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter line: The line of the error, counted from 1, or `nil` if it is not known.
    package init(file: String, line: Int?, _ message: String) {
        // The message may repeat what is in the file.
        description = ForeignText.line("\(file):\(line.map { "\($0): " } ?? " ")\(message)")
    }
}
