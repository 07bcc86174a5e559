/// One thing that was looked at.
struct Finding: Codable, Sendable, Equatable {
    enum Verdict: String, Codable, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; nothing is broken.
        case note
        /// Something does not work because of it, or is not safe.
        case problem
    }

    var verdict: Verdict
    /// What was found.
    var what: String
    /// Why it matters; absent where that is plain.
    var why: String?
    /// What to do about it; commands stand between backticks.
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
    /// What is broken first, then what is worth knowing, then what is well; in each of them the order stays.
    var byImportance: [Finding] {
        [Finding.Verdict.problem, .note, .ok].flatMap { verdict in filter { $0.verdict == verdict } }
    }

    /// For people: a line for each, with why it matters and what to do below it.
    var text: String {
        map { finding in
            let mark = [Finding.Verdict.ok: "ok       ", .note: "note     ", .problem: "PROBLEM  "][finding.verdict]!
            let below = [finding.why, finding.advice.map { "-> " + $0 }].compactMap { $0 }
            return ([mark + finding.what] + below.map { String(repeating: " ", count: mark.count) + $0 })
                .map { Terminal.printable($0) + "\n" }.joined()
        }.joined()
    }
}
