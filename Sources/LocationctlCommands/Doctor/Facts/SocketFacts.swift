/// One of the daemon's sockets.
struct SocketFacts: Sendable, Equatable {
    var path: String
    /// `nil` where there is none, or the way to it is barred.
    var file: FileFacts?
    /// A Boolean value indicating whether this process may connect to it.
    var isOpen = false
}
