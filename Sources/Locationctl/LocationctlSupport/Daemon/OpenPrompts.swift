package import LocationProtocol

/// The open prompts, from the daemon's replies: the first reply lists all prompts, each further reply the changes.
package struct OpenPrompts {
    /// The prompts, oldest first.
    package private(set) var prompts: [Prompt] = []

    package init() {}

    /// Applies the next reply of MonitorPrompts.
    package mutating func receive(_ list: MonitorPrompts.Reply) {
        if let closed = list.closed {
            prompts.removeAll { closed.contains($0.id) }
        } else {
            prompts = []
        }
        prompts += list.prompts
    }
}

/// The open prompts for an agent. The daemon must be running at first.
package typealias PromptFeed = Feed<[Prompt]>

extension DaemonConnection {
    /// Returns a feed of a user's prompts.
    package func promptFeed(of uid: Int?, mayAskUser: Bool) -> PromptFeed {
        PromptFeed(isTemporary: { error, wasReached in wasReached && error.isUnreachable }) { onValue in
            try await prompts(of: uid, mayAskUser: mayAskUser, onValue)
        }
    }

    /// Passes all open prompts of a user to `body`, at first and after each change, in this process's languages.
    ///
    /// - Parameter mayAskUser: `true` if polkit may ask the user for a password.
    package func prompts(of uid: Int?, mayAskUser: Bool = true, _ body: ([Prompt]) -> Void) async throws {
        let parameters = MonitorPrompts.Parameters(
            uid: uid, languages: Languages.preferred, allowInteractiveAuthentication: mayAskUser ? nil : false)
        var open = OpenPrompts()
        try await lists(MonitorPrompts.self, parameters) { list in
            open.receive(list)
            body(open.prompts)
            return true
        }
    }
}
