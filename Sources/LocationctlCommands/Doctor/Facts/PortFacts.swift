/// The node of a receiver's port.
struct PortFacts: Sendable, Equatable {
    /// As it is named, which may be a link.
    var path: String
    /// Where the link leads; the same as `path` for a node.
    var node: String
    /// `nil` where there is no such node.
    var file: FileFacts?
    /// The program other than locationd that has it open, as far as this process may see.
    var holder: Holder?

    struct Holder: Sendable, Equatable {
        var name: String
        var pid: Int
    }
}
