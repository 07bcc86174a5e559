internal import LocationModel

/// The number of a connection to the bus that has called. Numbers are never reused.
typealias ConnectionID = UInt64

/// The connection that makes a call.
struct CallingApp {
    let connection: ConnectionID
    /// The app that the connection belongs to, as the kernel identifies it.
    let app: AppKey
    /// The app's authorization at the time of the call.
    let authorization: Authorization
    /// A Boolean value indicating whether there is a receiver, with or without a fix, or one may still be found, or a
    /// remembered place may be given.
    let canBeServed: Bool
}
