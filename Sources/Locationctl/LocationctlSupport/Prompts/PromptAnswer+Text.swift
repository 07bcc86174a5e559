internal import ArgumentParser
package import LocationModel

extension PromptAnswer {
    /// The answer's name on the command line.
    package var spelling: String {
        switch self {
        case .deny: "deny"
        case .once: "once"
        case .whileUsing: "while-using"
        case .untilTomorrow: "until-tomorrow"
        case .always: "always"
        case .dismiss: "dismiss"
        }
    }

    /// The key for the answer in an agent.
    package var letter: Character { self == .dismiss ? "n" : spelling.first! }

    /// A Boolean value indicating whether the answer grants the app something, and so comes with an accuracy.
    package var grants: Bool { self != .deny && self != .dismiss }

    /// Returns the answer of that name. Throws an error if there is none.
    package static func spelled(_ text: String) throws -> PromptAnswer {
        guard let answer = allCases.first(where: { $0.spelling == text }) else {
            throw ValidationError("use one of \(list(allCases))")
        }
        return answer
    }

    /// Returns the names of answers as a list: `deny, once, always`.
    package static func list(_ answers: [PromptAnswer]) -> String { answers.map(\.spelling).joined(separator: ", ") }
}
