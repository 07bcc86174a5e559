internal import CSystemd

/// A message of libsystemd that is being written. An error is kept and reported when the message is sent.
final class OutgoingBusMessage {
    private let message: OpaquePointer?
    private var status: CInt
    /// The approximate size of the message in bytes, at least half of its true size.
    private(set) var size: Int

    /// Takes ownership of the message reference that `create` returns.
    ///
    /// - Parameter names: The texts in the header.
    private init(_ names: [String], _ create: (inout OpaquePointer?) -> CInt) {
        var message: OpaquePointer?
        status = min(0, create(&message))
        self.message = message
        size = names.reduce(Self.headerSize) { $0 + $1.utf8.count }
    }

    /// The size of a header without its texts, in bytes, rounded up: eight fields, each aligned to 8 bytes.
    private static let headerSize = 128

    deinit { if let message { sd_bus_message_unref(message) } }

    /// Creates a call.
    convenience init(
        calling member: String, of interface: String, at path: String, to destination: String, on bus: OpaquePointer
    ) {
        self.init([member, interface, path, destination]) {
            sd_bus_message_new_method_call(bus, &$0, destination, path, interface, member)
        }
    }

    /// Creates the reply to a call.
    convenience init(replyingTo call: IncomingCall, on bus: OpaquePointer) {
        self.init([call.sender]) { csystemd_reply(bus, call.sender, call.cookie, nil, &$0) }
    }

    /// Creates an error in reply to a call.
    convenience init(failing call: IncomingCall, with failure: BusError, on bus: OpaquePointer) {
        self.init([call.sender, failure.name.text, failure.message]) { message in
            failure.name.text.withCString { name in
                failure.message.withCString { text in
                    var error = sd_bus_error(name: name, message: text, _need_free: 0)
                    return csystemd_reply(bus, call.sender, call.cookie, &error, &message)
                }
            }
        }
    }

    /// Creates a signal to one connection, or to every connection if `destination` is `nil`.
    convenience init(_ signal: BusSignal, to destination: String?, on bus: OpaquePointer) {
        self.init([signal.path, signal.interface, signal.member, destination ?? ""]) {
            sd_bus_message_new_signal(bus, &$0, signal.path, signal.interface, signal.member)
        }
        if let destination { attempt { sd_bus_message_set_destination($0, destination) } }
    }

    /// Appends arguments.
    func append(_ values: [BusValue]) {
        for value in values {
            append(value)
            size += value.size
        }
    }

    /// Sends the message. Returns its cookie, or `nil` if it could not be sent.
    func send(on bus: OpaquePointer, wantsReply: Bool = false) -> UInt64? {
        var cookie: UInt64 = 0
        attempt { wantsReply ? sd_bus_send(bus, $0, &cookie) : sd_bus_send(bus, $0, nil) }
        return status >= 0 ? cookie : nil
    }

    private func append(_ value: BusValue) {
        switch value {
        case .boolean(let value): appendBasic("b", CInt(value ? 1 : 0))
        case .byte(let value): appendBasic("y", value)
        case .uint16(let value): appendBasic("q", value)
        case .int32(let value): appendBasic("i", value)
        case .uint32(let value): appendBasic("u", value)
        case .uint64(let value): appendBasic("t", value)
        case .double(let value): appendBasic("d", value)
        case .string(let text): append(text, "s")
        case .objectPath(let path): append(path, "o")
        case .time(let seconds, let microseconds):
            container("r", "tt") {
                $0.appendBasic("t", seconds)
                $0.appendBasic("t", microseconds)
            }
        case .variant(let value): container("v", value.signature) { $0.append(value) }
        case .properties(let properties):
            container("a", "{sv}") { message in
                for property in properties {
                    message.container("e", "sv") {
                        $0.append(property.name, "s")
                        $0.append(.variant(property.value))
                    }
                }
            }
        case .strings(let texts): container("a", "s") { for text in texts { $0.append(text, "s") } }
        case .texts(let texts):
            container("a", "{ss}") { message in
                for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                    message.container("e", "ss") {
                        $0.append(name, "s")
                        $0.append(text, "s")
                    }
                }
            }
        case .interfaces(let interfaces):
            container("a", "{sa{sv}}") { message in
                for (name, properties) in interfaces.sorted(by: { $0.key < $1.key }) {
                    message.container("e", "sa{sv}") {
                        $0.append(name, "s")
                        $0.append(.properties(properties))
                    }
                }
            }
        case .structure(let values):
            container("r", values.map(\.signature).joined()) { for value in values { $0.append(value) } }
        case .array(let type, let values): container("a", type) { for value in values { $0.append(value) } }
        case .unread: preconditionFailure("a value that was not read is sent")
        }
    }

    private func append(_ text: String, _ type: Character) {
        attempt { message in text.withCString { sd_bus_message_append_basic(message, type.code, $0) } }
    }

    private func appendBasic<Value: BitwiseCopyable>(_ type: Character, _ value: Value) {
        attempt { message in
            withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type.code, $0) }
        }
    }

    private func container(
        _ type: Character, _ contents: String, _ body: (OutgoingBusMessage) -> Void
    ) {
        attempt { sd_bus_message_open_container($0, type.code, contents) }
        body(self)
        attempt { sd_bus_message_close_container($0) }
    }

    private func attempt(_ body: (OpaquePointer) -> CInt) {
        guard status >= 0, let message else { return }
        status = min(0, body(message))
    }
}
