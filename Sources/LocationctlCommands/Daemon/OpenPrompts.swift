internal import LocationProtocol

/// The prompts that are open, by what the daemon reports: first all of them, then what has changed.
struct OpenPrompts {
    /// The oldest first.
    private(set) var prompts: [Prompt] = []

    /// Takes in the next list of MonitorPrompts.
    mutating func receive(_ list: MonitorPrompts.Reply) {
        if let closed = list.closed {
            prompts.removeAll { closed.contains($0.id) }
        } else {
            prompts = []
        }
        prompts += list.prompts
    }
}
