internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The state of the agent in the terminal, and the effects of the keys.
///
/// Times are seconds on a clock that never goes back.
struct AgentState {
    /// An action that a key requests.
    enum Action: Equatable {
        case answer(id: Int, PromptAnswer, AccuracyAuthorization?)
        case end
        case suspend
    }

    /// A Boolean value indicating whether the daemon can be reached.
    private(set) var isConnected = false
    private var queue = ShownPrompts()
    /// The index of the answer that Enter sends; `nil` at first, so that Enter alone grants nothing.
    private(set) var selection: Int?
    /// The accuracy to send with an answer.
    private(set) var accuracy = AccuracyAuthorization.full
    /// The message about the latest event.
    private(set) var notice: String?
    /// A Boolean value indicating whether the prompt is readable on the screen. If it is not, only the key for no
    /// answer counts.
    var isReadable = true
    private var shownSince = 0.0

    /// The open prompts, the one on the screen first.
    var prompts: [Prompt] { queue.open }
    /// The prompt on the screen.
    var current: Prompt? { queue.current }
    /// The prompt whose answer is being sent.
    var sending: Prompt? { queue.sending }

    // MARK: From the daemon

    /// Applies the list of open prompts.
    mutating func received(_ list: [Prompt], at time: Double) {
        isConnected = true
        guard case .another(let closed) = queue.received(list) else { return }
        if let closed { notice = PromptText(closed).closing }
        show(at: time)
    }

    /// Handles the appearance of the prompts on the screen, if they were open before: keys count a moment later.
    mutating func appeared(at time: Double) { shownSince = max(shownSince, time) }

    /// Handles the loss of the daemon.
    mutating func lost() {
        isConnected = false
        queue.lost()
        selection = nil
        notice = nil
    }

    /// Handles the result of an answer.
    mutating func completed(
        _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?, failure: String?, at time: Double
    ) {
        let shown = current
        guard let prompt = queue.completed(isAccepted: failure == nil) else { return }
        notice = failure ?? PromptText(prompt).confirmation(answer, accuracy)
        // The daemon may have reported the prompt as closed before it replied to the answer.
        if failure == nil, shown?.id == prompt.id { show(at: time) }
    }

    private mutating func show(at time: Double) {
        selection = nil
        accuracy = current?.accuracy ?? .full
        shownSince = time
    }

    // MARK: From the user

    /// Handles a key, and returns the action that it requests.
    mutating func pressed(_ key: Key, at time: Double) -> Action? {
        if key == .interrupt || key == .character("q") { return .end }
        if key == .suspend { return .suspend }
        guard let prompt = current, sending == nil, time - shownSince >= ShownPrompts.settlingSeconds,
            isReadable || key == .character(PromptAnswer.dismiss.letter)
        else { return nil }
        switch key {
        case .up, .down: move(key == .up ? -1 : 1, count: prompt.answers.count)
        case .enter:
            guard let selection, prompt.answers.indices.contains(selection) else {
                notice = translated("Choose an answer first, with Up, Down or its letter.")
                return nil
            }
            return answer(prompt, prompt.answers[selection])
        case .escape: notice = translated("Nothing was answered. n: no answer; q: quit.")
        case .character("r") where PromptText(prompt).offersAccuracyChoice:
            accuracy = accuracy == .full ? .reduced : .full
        case .character(let letter):
            guard let chosen = PromptAnswer.allCases.first(where: { $0.letter == letter }) else { return nil }
            return answer(prompt, chosen)
        default: break
        }
        return nil
    }

    private mutating func move(_ step: Int, count: Int) {
        guard count > 0 else { return }
        notice = nil
        selection = selection.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    }

    private mutating func answer(_ prompt: Prompt, _ answer: PromptAnswer) -> Action? {
        guard prompt.answers.contains(answer) else {
            notice = translated("That is not an answer to this prompt.")
            return nil
        }
        notice = nil
        queue.send()
        return .answer(id: prompt.id, answer, PromptText(prompt).accuracy(answer, chosen: accuracy))
    }
}
