package import LocationctlSupport

/// The result of one check.
package struct Finding: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        /// Everything is as it should be.
        case ok
        /// A noteworthy fact, but nothing is broken.
        case note
        /// A fault, or an insecure state.
        case problem
    }

    package var verdict: Verdict
    /// The observation.
    var what: String
    /// The reason why it matters, or `nil` if that is obvious.
    var why: String?
    /// The remedy, or `nil` if there is none. Commands are between backticks.
    var advice: String?

    static func ok(_ what: String) -> Finding { Finding(verdict: .ok, what: what) }

    static func note(_ what: String, why: String? = nil, advice: String? = nil) -> Finding {
        Finding(verdict: .note, what: what, why: why, advice: advice)
    }

    static func problem(_ what: String, why: String? = nil, advice: String? = nil) -> Finding {
        Finding(verdict: .problem, what: what, why: why, advice: advice)
    }

    /// Returns a text without control characters. The isolates around the values of a right-to-left sentence stay.
    fileprivate static func printable(_ text: String) -> String {
        DisplayText.isRightToLeft(text) ? DisplayText.printable(text) : Terminal.printable(text)
    }

    /// Returns the finding about a service that has failed, or `nil` if it runs or was stopped.
    static func failure(of unit: UnitFacts) -> Finding? {
        let journal = translated("`sudo journalctl -u {unit} -n 50` says more", ["unit": unit.name])
        return switch unit.active {
        case "failed": .problem(translated("{unit} has failed", ["unit": unit.name]), advice: journal)
        case "activating": .problem(translated("{unit} keeps failing to start", ["unit": unit.name]), advice: journal)
        default: nil
        }
    }
}

extension Finding.Verdict {
    /// The verdict as a word before a finding, and its emphasis.
    fileprivate var word: (String, TextRow.Style) {
        switch self {
        // Translators: A word before a finding: everything is as it should be. At most 12 columns.
        case .ok: (translated("ok"), .hint)
        // Translators: A word before a finding: a fact to know, but nothing is broken. At most 12 columns.
        case .note: (translated("note"), .warning)
        // Translators: A word before a finding: a fault. At most 12 columns.
        case .problem: (translated("PROBLEM"), .problem)
        }
    }
}

extension [Finding] {
    /// The problems, then the notes, then the rest; the order within each group is kept.
    var byImportance: [Finding] {
        [Finding.Verdict.problem, .note, .ok].flatMap { verdict in filter { $0.verdict == verdict } }
    }

    /// The advice about the first thing to do.
    package var conclusion: String {
        /// Returns a text as the end of a sentence, without the full stop that it may have.
        func ending(_ text: String) -> String {
            Finding.printable(text.last == "." || text.last == "。" ? String(text.dropLast()) : text)
        }
        if let problem = first(where: { $0.verdict == .problem }) {
            return problem.advice.map { translated("Do this first: {advice}.", ["advice": ending($0)]) }
                // Translators: The finding is a fault that has no advice.
                ?? translated("Look into this first: {finding}.", ["finding": ending(problem.what)])
        }
        guard let advice = lazy.compactMap(\.advice).first else { return translated("Nothing needs to be done.") }
        return translated(
            "Nothing is broken. If you want to do something: {advice}.", ["advice": ending(advice)])
    }

    /// The text for users in a pipe.
    var text: String { text(on: .pipe) }

    /// Returns the text for users: a line for each finding, with its reason and advice below it. Long lines are
    /// wrapped.
    package func text(on medium: OutputMedium) -> String {
        map { finding in
            let (word, style) = finding.verdict.word
            let below = [finding.why, finding.advice.map { "-> " + $0 }].compactMap { $0 }
            return Self.lines(finding.what, after: word, style, finding.verdict == .ok ? .hint : .plain, medium)
                + below.map { Self.lines($0, after: "", .plain, .plain, medium) }.joined()
        }.joined()
    }

    /// Returns a text beside the column of the verdicts.
    private static func lines(
        _ text: String, after word: String, _ wordStyle: TextRow.Style, _ style: TextRow.Style, _ medium: OutputMedium
    ) -> String {
        let text = Finding.printable(text)
        let parts = medium.columns.map { OutputMedium.wrapped(text, columns: $0 - verdictWidth) } ?? [text]
        return parts.enumerated().map { index, part in
            var row = TextRow(index == 0 ? word : "", wordStyle)
            row.pad(to: verdictWidth)
            row.append(part, style)
            return medium.line(row)
        }.joined()
    }

    /// The width of the verdicts, with the gap after them.
    private static var verdictWidth: Int {
        [Finding.Verdict.ok, .note, .problem].map { DisplayText.columns($0.word.0) + 2 }.reduce(9, Swift.max)
    }
}
