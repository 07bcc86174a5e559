/// One of the daemon's sockets.
struct SocketFacts: Sendable, Equatable {
    var path: String
    /// The socket's owner and mode, or `nil` if there is no socket or its folder may not be searched.
    var file: FileFacts?
    /// A Boolean value indicating whether this process may connect to the socket.
    var isOpen = false
}
