import CSystemd

/// A value of D-Bus's type system, of the types that GeoClue's interfaces have.
enum BusValue: Equatable, Sendable {
    case text(String)
    case path(String)
    case number(UInt32)
    case signedNumber(Int32)
    case longNumber(UInt64)
    case flag(Bool)
    case real(Double)
    /// A descriptor, in messages that are sent.
    case descriptor(CInt)
    /// An array or a structure; in messages that are sent, an array of texts.
    case list([BusValue])
    /// A structure, in messages that are sent.
    case structure([BusValue])
    /// A dictionary of texts without entries, in messages that are sent.
    case noTexts
    case dictionary([String: BusValue])
    /// A variant, in messages that are sent. In received ones, a variant is replaced by its value.
    indirect case variant(BusValue)

    var text: String? {
        switch self {
        case .text(let text), .path(let text): text
        default: nil
        }
    }
    var real: Double? { if case .real(let value) = self { value } else { nil } }
    var longNumber: UInt64? { if case .longNumber(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }
    var dictionary: [String: BusValue]? { if case .dictionary(let values) = self { values } else { nil } }

    private static func code(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }

    /// The signature of a value in a variant or an array.
    private var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .number: "u"
        case .signedNumber: "i"
        case .longNumber: "t"
        case .flag: "b"
        case .real: "d"
        case .descriptor: "h"
        case .list: "as"
        case .structure(let values): values.map(\.signature).joined()
        case .noTexts: "a{ss}"
        case .dictionary: "a{sv}"
        case .variant: "v"
        }
    }

    // MARK: Sending

    /// Appends the value to a message.
    func append(to message: OpaquePointer?) {
        switch self {
        case .text(let text): _ = text.withCString { sd_bus_message_append_basic(message, Self.code("s"), $0) }
        case .path(let path): _ = path.withCString { sd_bus_message_append_basic(message, Self.code("o"), $0) }
        case .number(let value): appendBasic("u", value, to: message)
        case .signedNumber(let value): appendBasic("i", value, to: message)
        case .longNumber(let value): appendBasic("t", value, to: message)
        case .flag(let value): appendBasic("b", CInt(value ? 1 : 0), to: message)
        case .real(let value): appendBasic("d", value, to: message)
        case .descriptor(let value): appendBasic("h", value, to: message)
        case .list(let values):
            sd_bus_message_open_container(message, Self.code("a"), "s")
            for value in values { value.append(to: message) }
            sd_bus_message_close_container(message)
        case .structure(let values):
            sd_bus_message_open_container(message, Self.code("r"), signature)
            for value in values { value.append(to: message) }
            sd_bus_message_close_container(message)
        case .noTexts:
            sd_bus_message_open_container(message, Self.code("a"), "{ss}")
            sd_bus_message_close_container(message)
        case .dictionary(let values): append(values, to: message)
        case .variant(let value):
            sd_bus_message_open_container(message, Self.code("v"), value.signature)
            value.append(to: message)
            sd_bus_message_close_container(message)
        }
    }

    private func append(_ values: [String: BusValue], to message: OpaquePointer?) {
        sd_bus_message_open_container(message, Self.code("a"), "{sv}")
        for (key, value) in values {
            sd_bus_message_open_container(message, Self.code("e"), "sv")
            BusValue.text(key).append(to: message)
            BusValue.variant(value).append(to: message)
            sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
    }

    private func appendBasic<Value: BitwiseCopyable>(
        _ letter: Unicode.Scalar, _ value: Value, to message: OpaquePointer?
    ) {
        _ = withUnsafePointer(to: value) { sd_bus_message_append_basic(message, Self.code(letter), $0) }
    }

    // MARK: Receiving

    /// Reads the next value of a message. Returns `nil` at the end, and for other types.
    static func next(in message: OpaquePointer) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        switch Unicode.Scalar(UInt8(bitPattern: type)) {
        case "s", "g": return .text(readText(type, message))
        case "o": return .path(readText(type, message))
        case "u": return .number(read(type, 0, message))
        case "i": return .signedNumber(read(type, 0, message))
        case "t": return .longNumber(read(type, 0, message))
        case "b": return .flag(read(type, CInt(0), message) != 0)
        case "d": return .real(read(type, 0, message))
        case "v": return all(in: message, type, contents).first
        case "r", "a": return list(in: message, type, contents)
        default: return nil
        }
    }

    private static func list(
        in message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?
    ) -> BusValue? {
        guard let contents, contents.pointee == code("{") else { return .list(all(in: message, type, contents)) }
        var values: [String: BusValue] = [:]
        sd_bus_message_enter_container(message, type, contents)
        while sd_bus_message_enter_container(message, code("e"), "sv") > 0 {
            if let key = next(in: message)?.text { values[key] = next(in: message) }
            sd_bus_message_exit_container(message)
        }
        sd_bus_message_exit_container(message)
        return .dictionary(values)
    }

    private static func all(
        in message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?
    ) -> [BusValue] {
        sd_bus_message_enter_container(message, type, contents)
        var values: [BusValue] = []
        while sd_bus_message_at_end(message, 0) == 0, let value = next(in: message) { values.append(value) }
        sd_bus_message_exit_container(message)
        return values
    }

    private static func readText(_ type: CChar, _ message: OpaquePointer) -> String {
        var text: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, type, &text)
        return text.map { String(cString: $0) } ?? ""
    }

    private static func read<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value, _ message: OpaquePointer) -> Value {
        var value = zero
        sd_bus_message_read_basic(message, type, &value)
        return value
    }
}
