internal import LocationProtocol

/// The open prompts as an agent shows them, one after the other.
struct ShownPrompts {
    /// The effect of a new list on the prompt that is shown.
    enum Change {
        case same
        /// Another prompt is shown, or none. `closed` is the previous prompt if this agent has not answered it.
        case another(closed: Prompt?)
    }

    /// The open prompts, the one that is shown first.
    private(set) var open: [Prompt] = []
    /// The prompt whose answer is being sent.
    private(set) var sending: Prompt?
    /// The prompts that were answered and may still be in the daemon's next list.
    private var answered: Set<Int> = []

    /// The prompt that is shown.
    var current: Prompt? { open.first }

    /// Applies the daemon's list. The prompt that the user is reading stays first, even if the list puts another before
    /// it.
    mutating func received(_ list: [Prompt]) -> Change {
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
    mutating func lost() { open = [] }

    /// Handles the sending of an answer to the prompt that is shown.
    mutating func send() { sending = current }

    /// Handles the result of an answer. Returns the prompt, or `nil` if no answer was being sent.
    mutating func completed(isAccepted: Bool) -> Prompt? {
        guard let prompt = sending else { return nil }
        sending = nil
        if isAccepted {
            answered.insert(prompt.id)
            open.removeAll { $0.id == prompt.id }
        }
        return prompt
    }
}
