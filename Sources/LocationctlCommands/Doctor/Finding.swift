/// The result of one check.
struct Finding: Codable, Sendable, Equatable {
    enum Verdict: String, Codable, Sendable {
        /// Everything is as it should be.
        case ok
        /// Something is worth knowing, but nothing is broken.
        case note
        /// Something does not work, or is not safe.
        case problem
    }

    var verdict: Verdict
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
}

extension [Finding] {
    /// The problems, then the notes, then the rest; the order within each group is kept.
    var byImportance: [Finding] {
        [Finding.Verdict.problem, .note, .ok].flatMap { verdict in filter { $0.verdict == verdict } }
    }

    /// The sentence that says what to do first.
    var conclusion: String {
        func sentence(_ beginning: String, _ rest: String) -> String {
            Terminal.printable("\(beginning) \(rest)\(rest.last == "." ? "" : ".")") + "\n"
        }
        if let problem = first(where: { $0.verdict == .problem }) {
            return problem.advice.map { sentence("Do this first:", $0) }
                ?? sentence("Look into this first:", problem.what)
        }
        guard let advice = lazy.compactMap(\.advice).first else { return "Nothing needs to be done.\n" }
        return sentence("Nothing is broken. If you want to do something:", advice)
    }

    /// The text for users: a line for each finding, with why it matters and what to do below it.
    var text: String {
        map { finding in
            let mark = [Finding.Verdict.ok: "ok       ", .note: "note     ", .problem: "PROBLEM  "][finding.verdict]!
            let below = [finding.why, finding.advice.map { "-> " + $0 }].compactMap { $0 }
            return ([mark + finding.what] + below.map { String(repeating: " ", count: mark.count) + $0 })
                .map { Terminal.printable($0) + "\n" }.joined()
        }.joined()
    }
}
