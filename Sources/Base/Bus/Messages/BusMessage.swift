internal import Bytewise
internal import CSystemd
internal import Glibc

/// A received message of libsystemd.
///
/// What a program on the bus puts into a message is bounded only by the bus (32 MiB). So nothing is copied from it
/// beyond ``maximumLength``, and the message is not kept.
package final class BusMessage {
    /// The maximum length of a string that is read, in bytes. Longer ones are cut off: no meaningful string has that
    /// length.
    package static let maximumLength = 1024

    /// The maximum number of elements of an array that is read. No caller has a use for more.
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

    /// The text of an error, or its name if it has none.
    var errorText: String {
        guard let error = sd_bus_message_get_error(message)?.pointee else { return "" }
        return Self.text(error.message) ?? Self.text(error.name) ?? ""
    }

    /// The number that a reply names this message by.
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

    /// Makes the first argument the next one that is read.
    func rewind() { sd_bus_message_rewind(message, 1) }

    /// Returns the next argument if it is an unsigned 32-bit number.
    package func readUInt32() -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(message, Character("u").code, &value) > 0 ? value : nil
    }

    /// Returns the next argument if it is an unsigned 16-bit number.
    package func readUInt16() -> UInt16? {
        var value: UInt16 = 0
        return sd_bus_message_read_basic(message, Character("q").code, &value) > 0 ? value : nil
    }

    /// Returns the next argument if it is a byte.
    package func readByte() -> UInt8? {
        var value: UInt8 = 0
        return sd_bus_message_read_basic(message, Character("y").code, &value) > 0 ? value : nil
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

    /// Returns the next argument if it is a signed 32-bit number.
    package func readInt32() -> Int32? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, Character("i").code, &value) > 0 ? value : nil
    }

    /// Returns the next argument if it is a Boolean value.
    package func readBoolean() -> Bool? {
        var value: CInt = 0
        return sd_bus_message_read_basic(message, Character("b").code, &value) > 0 ? value != 0 : nil
    }

    /// Returns what `body` returns for the next argument if it is a structure of these types. `body` reads the values;
    /// nothing after the structure can be read if it leaves some of them.
    package func readStructure<Value>(_ contents: String, _ body: () -> Value?) -> Value? {
        guard sd_bus_message_enter_container(message, Character("r").code, contents) > 0 else { return nil }
        defer { sd_bus_message_exit_container(message) }
        return body()
    }

    /// Returns the next argument if it is an array of this type with at most `maximumCount` elements. `body` reads an
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

    /// Returns what `body` returns for the next argument if it is a variant. `body` gets the signature of its content.
    package func readVariant<Value>(_ body: (String) -> Value?) -> Value? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0, type == Character("v").code,
            let contents, sd_bus_message_enter_container(message, type, contents) > 0
        else { return nil }
        let value = body(Self.text(contents) ?? "")
        // The variant can only be left once its value has been read.
        if sd_bus_message_at_end(message, 0) == 0 { sd_bus_message_skip(message, contents) }
        sd_bus_message_exit_container(message)
        return value
    }

    /// Calls `body` with the name of each property of the next argument, if it is a dictionary of them. `body` reads
    /// the value, which is a variant, or returns `false` if it has no use for it.
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
