internal import Bytewise
internal import CSystemd
internal import Glibc

/// A received message of libsystemd.
///
/// Only the bus limits the size of a message (32 MiB). So nothing beyond ``maximumLength`` is copied from a message,
/// and the message is not kept.
package final class BusMessage {
    /// The maximum length of a string, in bytes. Longer strings are cut off; no meaningful string is that long.
    package static let maximumLength = 1024

    /// The maximum number of elements of an array. No caller needs more.
    package static let maximumCount = 256

    let message: OpaquePointer

    /// Takes ownership of the reference to a message.
    init(owning message: OpaquePointer) {
        self.message = message
    }

    deinit { sd_bus_message_unref(message) }

    /// The kind of a message.
    enum Kind {
        case call, signal
        /// A reply to the call of this cookie. `isError` is `true` for an error.
        case reply(cookie: UInt64, isError: Bool)
        case other
    }

    var kind: Kind {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(message, &type) >= 0 else { return .other }
        switch CInt(type) {
        case CInt(SD_BUS_MESSAGE_METHOD_CALL): return .call
        case CInt(SD_BUS_MESSAGE_SIGNAL): return .signal
        case CInt(SD_BUS_MESSAGE_METHOD_RETURN), CInt(SD_BUS_MESSAGE_METHOD_ERROR):
            var cookie: UInt64 = 0
            guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0 else { return .other }
            return .reply(cookie: cookie, isError: CInt(type) == CInt(SD_BUS_MESSAGE_METHOD_ERROR))
        default: return .other
        }
    }

    package var sender: String? { Self.text(sd_bus_message_get_sender(message)) }
    package var path: String? { Self.text(sd_bus_message_get_path(message)) }
    package var interface: String? { Self.text(sd_bus_message_get_interface(message)) }
    package var member: String? { Self.text(sd_bus_message_get_member(message)) }
    package var signature: String? { Self.text(sd_bus_message_get_signature(message, 1)) }

    /// The text of an error, or the error's name if it has no text.
    var errorText: String {
        guard let error = sd_bus_message_get_error(message)?.pointee else { return "" }
        return Self.text(error.message) ?? Self.text(error.name) ?? ""
    }

    /// The number that a reply uses to name this message.
    var cookie: UInt64 {
        var cookie: UInt64 = 0
        sd_bus_message_get_cookie(message, &cookie)
        return cookie
    }

    /// A Boolean value indicating whether the sender of a call wants a reply.
    var expectsReply: Bool { sd_bus_message_get_expect_reply(message) > 0 }

    // MARK: Arguments, in their order

    /// Returns the next argument if it is a string or an object path.
    package func readString(_ type: Character = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type.code, &text) > 0 else { return nil }
        return Self.text(text)
    }

    /// Goes back to the first argument.
    func rewind() { sd_bus_message_rewind(message, 1) }

    /// Returns the next argument if it is an unsigned 32-bit number.
    package func readUInt32() -> UInt32? { readBasic("u", 0) }

    /// Returns the next argument if it is a signed 16-bit number.
    package func readInt16() -> Int16? { readBasic("n", 0) }

    /// Returns the next argument if it is an unsigned 16-bit number.
    package func readUInt16() -> UInt16? { readBasic("q", 0) }

    /// Returns the next argument if it is a byte.
    package func readByte() -> UInt8? { readBasic("y", 0) }

    /// Returns the next argument if it is a signed 32-bit number.
    package func readInt32() -> Int32? { readBasic("i", 0) }

    /// Returns the next argument if it is a signed 64-bit number.
    package func readInt64() -> Int64? { readBasic("x", 0) }

    /// Returns the next argument if it is a Boolean value.
    package func readBoolean() -> Bool? { readBasic("b", CInt(0)).map { $0 != 0 } }

    private func readBasic<Value: BitwiseCopyable>(_ type: Character, _ initial: Value) -> Value? {
        var value = initial
        return sd_bus_message_read_basic(message, type.code, &value) > 0 ? value : nil
    }

    /// Returns the next argument if it is an array of at most ``maximumLength`` bytes.
    package func readBytes() -> [UInt8]? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(message, Character("y").code, &start, &count) >= 0,
            count <= Self.maximumLength
        else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the result of `body` if the next argument is a structure of these types. `body` must read all values of
    /// the structure; otherwise, nothing after it can be read.
    package func readStructure<Value>(_ contents: String, _ body: () -> Value?) -> Value? {
        guard sd_bus_message_enter_container(message, Character("r").code, contents) > 0 else { return nil }
        defer { sd_bus_message_exit_container(message) }
        return body()
    }

    /// Returns the next argument if it is an array of this type with at most `maximumCount` elements. `body` reads one
    /// element.
    package func readArray<Value>(
        of contents: String, upTo maximumCount: Int = maximumCount, _ body: () -> Value?
    ) -> [Value]? {
        guard sd_bus_message_enter_container(message, Character("a").code, contents) > 0 else { return nil }
        var values: [Value] = []
        while sd_bus_message_at_end(message, 0) == 0 {
            guard values.count < maximumCount, let value = body() else { return nil }
            values.append(value)
        }
        sd_bus_message_exit_container(message)
        return values
    }

    /// Returns the result of `body` if the next argument is a variant. `body` receives the signature of the content.
    package func readVariant<Value>(_ body: (String) -> Value?) -> Value? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0, type == Character("v").code,
            let contents, sd_bus_message_enter_container(message, type, contents) > 0
        else { return nil }
        let value = body(Self.text(contents) ?? "")
        // A variant can be left only after its value has been read.
        if sd_bus_message_at_end(message, 0) == 0 { sd_bus_message_skip(message, contents) }
        sd_bus_message_exit_container(message)
        return value
    }

    /// Calls `body` with the name of each property if the next argument is a dictionary of properties. `body` reads the
    /// value, which is a variant, or returns `false` to skip it.
    package func readProperties(_ body: (String) -> Bool) {
        guard sd_bus_message_enter_container(message, Character("a").code, "{sv}") > 0 else { return }
        while sd_bus_message_enter_container(message, Character("e").code, "sv") > 0 {
            guard let name = readString() else { return }
            if !body(name), sd_bus_message_skip(message, "v") < 0 { return }
            guard sd_bus_message_exit_container(message) >= 0 else { return }
        }
        sd_bus_message_exit_container(message)
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text else { return nil }
        let length = strnlen(text, maximumLength + 1)
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        return String(decoding: bytes, as: UTF8.self).prefix(bytes: maximumLength)
    }
}

extension Character {
    /// The type's code, an ASCII character.
    var code: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
