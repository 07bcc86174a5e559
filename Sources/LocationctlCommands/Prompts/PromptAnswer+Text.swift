internal import ArgumentParser
internal import LocationModel

extension PromptAnswer {
    /// As it is written on the command line.
    var spelling: String {
        switch self {
        case .deny: "deny"
        case .once: "once"
        case .whileUsing: "while-using"
        case .untilTomorrow: "until-tomorrow"
        case .always: "always"
        case .dismiss: "dismiss"
        }
    }

    /// The key that gives it. No terminal's escape sequence ends in a small letter that is one of them.
    var letter: Character { spelling.first! == "d" && self == .dismiss ? "q" : spelling.first! }

    /// A Boolean value indicating whether the app gets something by it, and so whether an accuracy goes with it.
    var grants: Bool { self != .deny && self != .dismiss }

    /// The answer that is written so.
    static func spelled(_ text: String) throws -> PromptAnswer {
        guard let answer = allCases.first(where: { $0.spelling == text }) else {
            throw ValidationError("an answer is one of \(list(allCases))")
        }
        return answer
    }

    /// Answers as they are enumerated: `deny, once, always`.
    static func list(_ answers: [PromptAnswer]) -> String { answers.map(\.spelling).joined(separator: ", ") }
}
