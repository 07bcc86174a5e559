internal import LocationModel

/// A call of a method, as far as it was read from the bus.
struct MethodCall: Equatable {
    let path: String
    /// The interface, or `nil` if the call names only the method.
    let interface: String?
    let member: String
    /// The signature of the arguments.
    let signature: String
    /// The arguments. Empty if no method has arguments of this signature.
    let arguments: [BusValue]
}

/// The number of a connection to the bus that has called. Numbers are not used twice.
typealias ConnectionID = UInt64

/// The connection that makes a call.
struct CallingApp {
    let connection: ConnectionID
    /// The app that the connection belongs to, as the kernel identifies it.
    let app: AppKey
    /// The app's authorization at the moment of the call.
    let authorization: Authorization
}
