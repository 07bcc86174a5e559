import NIOCore

/// The envelope of a call, before the method is looked up.
struct Request {
    var method: String
    /// The parameters, always an object.
    var parameters: JSONValue
    var more: Bool
    var oneway: Bool

    /// Parses a frame. Unknown members of the envelope are ignored.
    ///
    /// - Throws: InvalidParameter. It names `message` if the frame is not JSON within the limits or not an object,
    ///   and otherwise the invalid member of the envelope.
    init(parsing frame: ByteBuffer, maximumDepth: Int) throws(VarlinkError) {
        guard let message = try? JSONValue(parsing: frame.readableBytesUInt8Span, maximumDepth: maximumDepth),
            case .object = message
        else { throw .invalidParameter("message") }
        guard let method = message["method"]?.string else { throw .invalidParameter("method") }
        self.method = method
        switch message["parameters"] {
        case nil, .null?: parameters = [:]
        case let value?:
            guard case .object = value else { throw .invalidParameter("parameters") }
            parameters = value
        }
        oneway = try message.flag("oneway")
        more = try message.flag("more") && !oneway
        guard try !message.flag("upgrade") else { throw .invalidParameter("upgrade") }
    }
}

extension JSONValue {
    fileprivate func flag(_ name: String) throws(VarlinkError) -> Bool {
        switch self[name] {
        case nil, .null?: false
        case .bool(let value)?: value
        default: throw .invalidParameter(name)
        }
    }
}
