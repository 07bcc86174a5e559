internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The dialogue in lines of text, for screen readers and pipes: its output, and the handling of input lines.
struct PlainAgentStateMachine {
    enum Action: Equatable {
        case print(String)
        /// Read one line. No line is read while no prompt is open: text typed before a prompt does not answer it.
        case read
        case answer(id: Int, PromptAnswer, AccuracyAuthorization?)
    }

    /// The clock of the times.
    private let time: LocalTime
    private var queue = ShownPrompts()
    /// The prompt that was open when the reading of the line began.
    private var readingFor: Prompt?
    private var isLost = false

    private var current: Prompt? { queue.current }

    init(time: LocalTime = .utc) { self.time = time }

    // MARK: From the daemon

    /// Applies the list of open prompts.
    mutating func received(_ list: [Prompt], now: Timestamp) -> [Action] {
        var actions: [Action] = isLost ? [.print(translated("locationd is running again.") + "\n")] : []
        isLost = false
        guard case .another(let closed) = queue.received(list) else { return actions }
        if let closed { actions.append(.print(PromptText(closed).closing + "\n")) }
        return actions + ask(now: now)
    }

    /// Handles the loss of the daemon.
    mutating func lost() -> [Action] {
        queue.lost()
        guard !isLost else { return [] }
        isLost = true
        return [.print(translated("locationd is not running. Waiting for it to come back.") + "\n")]
    }

    /// Handles the result of an answer.
    mutating func completed(
        _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?, failure: String?, now: Timestamp
    ) -> [Action] {
        guard let prompt = queue.completed(isAccepted: failure == nil) else { return [] }
        if let failure {
            // If the prompt is closed by now, the next list reports it.
            return [.print(failure + "\n")] + (current == prompt ? read() : ask(now: now))
        }
        return [.print(PromptText(prompt).confirmation(answer, accuracy) + "\n")] + ask(now: now)
    }

    // MARK: From the user

    /// Handles a line of input.
    mutating func line(_ line: String, now: Timestamp) -> [Action] {
        let begunFor = readingFor
        readingFor = nil
        guard let prompt = current else { return [] }
        guard begunFor == prompt else {
            let refusal = translated("You began that line before this prompt appeared. Answer again.")
            return [.print(refusal + "\n")] + ask(now: now)
        }
        switch Self.answer(line, to: prompt) {
        case .success(let (answer, accuracy)):
            queue.send()
            return [.answer(id: prompt.id, answer, accuracy)]
        case .failure(let refusal): return [.print(refusal.message + "\n")] + read()
        }
    }

    /// The reason why a line is not an answer.
    struct Refusal: Error, Equatable { var message: String }

    /// Parses a line: the number, the letter or the name of an answer, optionally followed by an accuracy.
    static func answer(
        _ line: String, to prompt: Prompt
    ) -> Result<(PromptAnswer, AccuracyAuthorization?), Refusal> {
        let words = line.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        let text = PromptText(prompt)
        let answers: KeyValuePairs = ["answers": PromptAnswer.list(prompt.answers)]
        guard let first = words.first, words.count <= 2 else {
            // Translators: The answers are English words to type.
            return .failure(Refusal(message: translated("Answer with one of: {answers}.", answers)))
        }
        let number = Int(first).map { $0 - 1 }.flatMap { prompt.answers.indices.contains($0) ? $0 : nil }
        guard
            let answer = number.map({ prompt.answers[$0] })
                ?? prompt.answers.first(where: { $0.spelling == first || String($0.letter) == first })
        else {
            let refusal = translated("That is not an answer to this prompt. Use one of: {answers}.", answers)
            return .failure(Refusal(message: refusal))
        }
        guard words.count == 2 else { return .success((answer, text.accuracy(answer, chosen: prompt.accuracy))) }
        guard let accuracy = AccuracyAuthorization(rawValue: words[1]) else {
            // Translators: "full" and "reduced" are words to type, and stay as they are.
            return .failure(Refusal(message: translated("The accuracy is either full or reduced.")))
        }
        guard text.accuracy(answer, chosen: accuracy) != nil else {
            return .failure(Refusal(message: translated("That answer does not take an accuracy.")))
        }
        return .success((answer, accuracy))
    }

    // MARK: Prompts

    private mutating func ask(now: Timestamp) -> [Action] {
        guard let prompt = current, queue.sending == nil else { return [] }
        return [.print(Self.question(prompt, more: queue.open.count - 1, now: now, time))] + read()
    }

    private mutating func read() -> [Action] {
        guard readingFor == nil, let prompt = current else { return [] }
        readingFor = prompt
        return [.read]
    }

    /// Returns a prompt with its numbered answers, as lines.
    static func question(_ prompt: Prompt, more: Int, now: Timestamp, _ time: LocalTime = .utc) -> String {
        let text = PromptText(prompt)
        var lines = [PromptText.others(more), text.question].compactMap(\.self)
        lines += text.details(now: now, time).map { $0.line(columns: 4000) }
        for (index, answer) in prompt.answers.enumerated() {
            lines.append(
                translated(
                    // Translators: What to type for an answer: "3 or w or while-using: Allow while in use".
                    "{number} or {letter} or {word}: {answer}",
                    [
                        "number": "\(index + 1)", "letter": "\(answer.letter)", "word": answer.spelling,
                        "answer": text.label(answer),
                    ]))
        }
        if text.offersAccuracyChoice {
            lines.append(
                translated(
                    // Translators: {accuracy} is "full" or "reduced". These are words to type, and stay as they are.
                    "Accuracy: {accuracy}; add full or reduced after the answer to change it",
                    ["accuracy": prompt.accuracy.rawValue]))
        }
        // Translators: The user types the answer below this line.
        return "\n" + (lines + [translated("Answer:")]).map { $0 + "\n" }.joined()
    }
}
