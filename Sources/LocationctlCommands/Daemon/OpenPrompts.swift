internal import LocationProtocol

/// The open prompts, from the daemon's replies: the first one lists all prompts, each further one what has changed.
struct OpenPrompts {
    /// The prompts, the oldest first.
    private(set) var prompts: [Prompt] = []

    /// Applies the next reply of MonitorPrompts.
    mutating func receive(_ list: MonitorPrompts.Reply) {
        if let closed = list.closed {
            prompts.removeAll { closed.contains($0.id) }
        } else {
            prompts = []
        }
        prompts += list.prompts
    }
}
