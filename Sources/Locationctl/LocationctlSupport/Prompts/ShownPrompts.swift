package import LocationProtocol

/// The open prompts as an agent shows them, one after the other.
package struct ShownPrompts {
    /// The effect of a new list on the prompt that is shown.
    package enum Change {
        case same
        /// Another prompt is shown, or none. `closed` is the previous prompt if this agent has not answered it.
        case another(closed: Prompt?)
    }

    /// The time for which a prompt is shown before a key or a button counts, in seconds. Without it, a prompt that
    /// appears while a finger is on its way to a key for another one would be granted unread.
    package static let settlingSeconds = 0.7

    /// The open prompts, the one that is shown first.
    package private(set) var open: [Prompt] = []
    /// The prompt whose answer is being sent.
    package private(set) var sending: Prompt?
    /// The prompts that were answered and may still be in the daemon's next list.
    private var answered: Set<Int> = []

    package init() {}

    /// The prompt that is shown.
    package var current: Prompt? { open.first }

    /// Applies the daemon's list. The prompt that the user is reading stays first, even if the list puts another before
    /// it.
    package mutating func received(_ list: [Prompt]) -> Change {
        answered.formIntersection(list.map(\.id))
        let waiting = list.filter { !answered.contains($0.id) }
        let shown = current
        if let shown, let same = waiting.firstIndex(of: shown) {
            open = [shown] + waiting[..<same] + waiting[(same + 1)...]
            return .same
        }
        open = waiting
        return .another(closed: sending?.id == shown?.id ? nil : shown)
    }

    /// Handles the loss of the daemon.
    package mutating func lost() { open = [] }

    /// Handles the sending of an answer to the prompt that is shown.
    package mutating func send() { sending = current }

    /// Handles the result of an answer. Returns the prompt, or `nil` if no answer was being sent.
    package mutating func completed(isAccepted: Bool) -> Prompt? {
        guard let prompt = sending else { return nil }
        sending = nil
        if isAccepted {
            answered.insert(prompt.id)
            open.removeAll { $0.id == prompt.id }
        }
        return prompt
    }
}
