/// A method call, with the parts that were read from the bus.
package struct MethodCall: Equatable {
    package let path: String
    /// The interface, or `nil` if the call names only the method.
    package let interface: String?
    package let member: String
    /// The signature of the arguments.
    package let signature: String
    /// The arguments. Empty if calls of this signature are not read.
    package let arguments: [BusValue]

    package init(
        path: String, interface: String?, member: String, signature: String, arguments: [BusValue]
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.signature = signature
        self.arguments = arguments
    }
}

/// A received call.
package struct IncomingCall {
    package let call: MethodCall
    /// The unique name of the caller's connection.
    package let sender: String
    /// The number that the reply uses to name the call.
    let cookie: UInt64
    /// A Boolean value indicating whether the caller wants a reply.
    let expectsReply: Bool

    /// The memory that the call occupies while it waits, in bytes.
    package var size: Int {
        let texts = [call.path, call.interface ?? "", call.member, call.signature, sender]
        return texts.reduce(MemoryLayout<IncomingCall>.size) { $0 + $1.utf8.count }
            + call.arguments.reduce(0) { $0 + 2 * MemoryLayout<BusValue>.size + $1.size }
    }
}
