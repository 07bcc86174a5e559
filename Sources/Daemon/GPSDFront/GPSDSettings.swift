/// The sockets that the service opens itself to serve gpsd's protocol.
///
/// Sockets that the service manager passes under the name ``socketName`` are served whether there are settings or not.
public struct GPSDSettings: Sendable, Hashable {
    /// The name of the Unix socket in the runtime directory, and of sockets that the service manager passes.
    public static let socketName = "gpsd"

    /// The TCP addresses, each at most once.
    public var listen: [ListenAddress]
    /// A Boolean value indicating whether there is a Unix socket in the runtime directory too.
    public var socket: Bool

    /// Creates settings.
    public init(listen: [ListenAddress], socket: Bool) {
        self.listen = listen
        self.socket = socket
    }
}
