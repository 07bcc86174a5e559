internal import Glibc
package import Logging

/// A text that is one of an enumeration's raw values.
package struct OneOf<Value: RawRepresentable & CaseIterable>: ValueRule where Value.RawValue == String {
    private let allowed: [Value]
    private let refusal: (String, String) -> String

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - allowed: The values that may be written; by default, all.
    ///   - refusal: Returns the error for any other text, which is the first argument. The second argument lists the
    ///     allowed texts.
    package init(among allowed: [Value] = Array(Value.allCases), _ refusal: @escaping (String, String) -> String) {
        self.allowed = allowed
        self.refusal = refusal
    }

    package func value(of written: String) throws(InvalidValue) -> Value {
        guard let value = allowed.first(where: { $0.rawValue == written }) else {
            throw InvalidValue(refusal(written, allowed.map(\.rawValue).joined(separator: ", ")))
        }
        return value
    }
}

extension ValueRule where Self == OneOf<Logger.Level> {
    /// The lowest level of messages that are logged.
    package static var logLevel: OneOf<Logger.Level> { OneOf { "\"\($0)\" is not a log level: use one of \($1)" } }
}

/// A number in a range.
package struct InRange<Number: Comparable & Decodable>: ValueRule {
    private let range: ClosedRange<Number>
    private let refusal: (Number) -> String

    /// Creates the rule for a number. `meaning` describes it, such as "a number of seconds".
    package init(_ range: ClosedRange<Number>, _ meaning: String) {
        self.init(range) {
            "\(Self.text($0)) is out of range: use \(meaning) from \(Self.text(range.lowerBound)) "
                + "to \(Self.text(range.upperBound))"
        }
    }

    /// Creates the rule.
    ///
    /// - Parameter refusal: Returns the error for a number out of range.
    package init(_ range: ClosedRange<Number>, refusal: @escaping (Number) -> String) {
        self.range = range
        self.refusal = refusal
    }

    package func value(of written: WrittenNumber<Number>) throws(InvalidValue) -> Number {
        guard range.contains(written.value) else { throw InvalidValue(refusal(written.value)) }
        return written.value
    }

    /// Returns the text of a number, without a fraction if the number is whole.
    private static func text(_ number: Number) -> String {
        (number as? Double).flatMap { Int(exactly: $0) }.map(String.init) ?? "\(number)"
    }
}

/// A number in a TOML file. A `Double` may be written without a fraction.
package struct WrittenNumber<Number: Decodable>: Decodable {
    /// The number.
    package let value: Number

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if Number.self is Double.Type, let whole = try? container.decode(Int.self), let value = Double(whole) as? Number
        {
            self.value = value
        } else {
            value = try container.decode(Number.self)
        }
    }
}

/// A text that is parsed. An invalid text is refused with the parser's error.
package struct Parsed<Value>: ValueRule {
    private let parse: (String) throws -> Value

    package init(_ parse: @escaping (String) throws -> Value) {
        self.parse = parse
    }

    package func value(of written: String) throws(InvalidValue) -> Value {
        do { return try parse(written) } catch { throw InvalidValue("\(error)") }
    }
}

/// True or false. Errors of this rule name the place of a value of the wrong type.
package struct FlagRule: ValueRule {
    package init() {}

    package func value(of written: Bool) -> Bool { written }
}

/// A user of this machine, by name or by number.
package struct UserRule: ValueRule {
    /// A user as written in the file. A number may be in quotes.
    package enum Written: Decodable, Sendable {
        case text(String)
        case number(Int)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? container.decode(Int.self)).map { .number($0) } ?? .text(container.decode(String.self))
        }
    }

    package init() {}

    package func value(of written: Written) throws(InvalidValue) -> UInt32 {
        switch written {
        case .number(let number):
            guard let user = UInt32(exactly: number), Self.isUser(user) else {
                throw InvalidValue("\(number) is not a user id: use a whole number from 0 to 4294967294")
            }
            return user
        case .text(let text):
            let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let user = UInt32(text), Self.isUser(user) { return user }
            guard !isNumber, !text.utf8.contains(0), let entry = getpwnam(text) else {
                throw InvalidValue("there is no user \"\(text)\": use the name or the number of one")
            }
            return entry.pointee.pw_uid
        }
    }

    /// Returns whether a user can have this number. 4294967295 stands for no user: chown(2) leaves the owner unchanged.
    private static func isUser(_ user: UInt32) -> Bool { user != .max }
}
