internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol

/// What the agent in the terminal shows, and what a key does.
///
/// Times are seconds of a clock that only goes forward.
struct AgentState {
    /// What the keys ask for.
    enum Action: Equatable {
        case answer(id: Int, PromptAnswer, AccuracyAuthorization?)
        case end
        case suspend
    }

    /// How long a question stands before a key counts, in seconds. One that appears under a finger on its way to the key
    /// for another one would be granted without having been read.
    static let settlingSeconds = 0.7

    /// A Boolean value indicating whether the daemon is there.
    private(set) var isConnected = false
    /// The questions that are open, that which is shown first.
    private(set) var prompts: [Prompt] = []
    /// The answer that Enter gives; none at first, so that Enter alone grants nothing.
    private(set) var selection: Int?
    /// The accuracy that goes with an answer.
    private(set) var accuracy = AccuracyAuthorization.full
    /// What happened last.
    private(set) var notice: String?
    /// The question whose answer is on its way.
    private(set) var sending: Prompt?
    /// A Boolean value indicating whether the question can be read where it is shown; but for Esc no key answers one
    /// that cannot.
    var isReadable = true
    private var shownSince = 0.0
    private var answered: Set<Int> = []

    /// The question that is shown.
    var current: Prompt? { prompts.first }

    // MARK: From the daemon

    /// These questions are open.
    mutating func received(_ list: [Prompt], at time: Double) {
        isConnected = true
        answered.formIntersection(list.map(\.id))
        let open = list.filter { !answered.contains($0.id) }
        guard let shown = current else { return show(open, at: time) }
        // The one that is being read stays, whatever came before it.
        if let same = open.firstIndex(of: shown) {
            prompts = [shown] + open[..<same] + open[(same + 1)...]
        } else {
            if sending?.id != shown.id {
                notice = "\(PromptText(shown).name): answered elsewhere, or not asked any more."
            }
            show(open, at: time)
        }
    }

    /// The daemon has gone away.
    mutating func lost() {
        isConnected = false
        prompts = []
        selection = nil
        notice = nil
    }

    /// The answer was taken, or was not.
    mutating func completed(
        _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?, failure: String?, at time: Double
    ) {
        guard let prompt = sending else { return }
        sending = nil
        if let failure {
            notice = failure
        } else {
            notice = PromptText(prompt).told(answer, accuracy)
            answered.insert(prompt.id)
            // The daemon may have told that it is not open any more before it took the answer's call as done.
            if current?.id == prompt.id { show(Array(prompts.dropFirst()), at: time) }
        }
    }

    private mutating func show(_ open: [Prompt], at time: Double) {
        prompts = open
        selection = nil
        accuracy = open.first?.accuracy ?? .full
        shownSince = time
    }

    // MARK: From the user

    /// A key was pressed.
    mutating func pressed(_ key: Key, at time: Double) -> Action? {
        if key == .interrupt { return .end }
        if key == .suspend { return .suspend }
        guard let prompt = current, sending == nil, time - shownSince >= Self.settlingSeconds,
            isReadable || key == .escape
        else { return nil }
        switch key {
        case .up, .down: move(key == .up ? -1 : 1, count: prompt.answers.count)
        case .enter:
            guard let selection, prompt.answers.indices.contains(selection) else {
                notice = "Choose an answer first: Up, Down, or its letter."
                return nil
            }
            return answer(prompt, prompt.answers[selection])
        case .escape: return answer(prompt, .dismiss)
        case .character("r") where PromptText(prompt).takesAccuracy: accuracy = accuracy == .full ? .reduced : .full
        case .character(let letter):
            guard let chosen = PromptAnswer.allCases.first(where: { $0.letter == letter }) else { return nil }
            return answer(prompt, chosen)
        case .interrupt, .suspend: break
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
            notice = "That is no answer to this question."
            return nil
        }
        notice = nil
        sending = prompt
        return .answer(id: prompt.id, answer, PromptText(prompt).accuracy(answer, chosen: accuracy))
    }
}
