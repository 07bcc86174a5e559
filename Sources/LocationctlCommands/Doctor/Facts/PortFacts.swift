/// The device node of a receiver's port.
struct PortFacts: Sendable, Equatable {
    /// The path as it is configured, which may be a symbolic link.
    var path: String
    /// The path that the link leads to; the same as `path` for a node.
    var node: String
    /// The node's owner and mode, or `nil` if there is no such node.
    var file: FileFacts?
    /// The program other than locationd that has the port open, or `nil` if this process sees none.
    var holder: Holder?

    struct Holder: Sendable, Equatable {
        var name: String
        var pid: Int
    }
}
