internal import LocationModel

/// What a person answers.
public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
    /// No. To a question about temporary full accuracy: it stays reduced.
    case deny
    /// While in use, until the app's last connection has been closed for 10 s. To a question about temporary full
    /// accuracy: yes.
    case once
    /// While in use. To a question that asks for `always` of an app that has it while in use: keep that.
    case whileUsing
    /// While in use, up to local midnight.
    case untilTomorrow
    /// In the background too.
    case always
    /// No answer: the prompt was closed. Everything stays as it is.
    case dismiss

    /// The answers to a question, in the order in which they are shown.
    ///
    /// Where the app has the location already, "deny" could mean the request or the app. So it is not offered: to keep
    /// what is, is "while using", and what was granted is taken back elsewhere.
    public static func offered(for subject: Question.Subject) -> [Answer] {
        switch subject {
        case .whenInUse: [.deny, .once, .whileUsing, .untilTomorrow, .dismiss]
        case .always: [.deny, .once, .whileUsing, .untilTomorrow, .always, .dismiss]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .dismiss]
        case .temporaryFullAccuracy: [.deny, .once, .dismiss]
        }
    }
}

extension Answer {
    /// The decision that it is, `current` being what holds; `nil` where it is none: dismissed, or about temporary
    /// accuracy.
    ///
    /// - Parameters:
    ///   - accuracy: as the person chose it; `nil` for the question's own.
    ///   - nextMidnight: when "tomorrow" begins, in seconds since 1970.
    func decision(
        on question: Question, accuracy: AccuracyAuthorization?, nextMidnight: Int64, current: Decision?
    ) -> Decision? {
        let accuracy = accuracy ?? question.defaultAccuracy
        let isUpgrade = question.subject == .alwaysInsteadOfWhenInUse || question.subject == .keepAlways
        switch (question.subject, self) {
        case (.temporaryFullAccuracy, _), (_, .dismiss): return nil
        case (_, .deny): return .denied
        case (_, .once): return Decision(level: .whenInUse, accuracy: accuracy, lifetime: .once)
        case (_, .untilTomorrow):
            return Decision(level: .whenInUse, accuracy: accuracy, lifetime: .until(secondsSince1970: nextMidnight))
        case (_, .whileUsing) where isUpgrade:
            return Decision(
                level: .whenInUse, accuracy: accuracy, lifetime: current?.lifetime ?? .once, alwaysQuestionSpent: true)
        case (.always, .whileUsing): return Decision(level: .provisionalAlways, accuracy: accuracy)
        case (_, .whileUsing): return Decision(level: .whenInUse, accuracy: accuracy)
        case (_, .always): return Decision(level: .always, accuracy: accuracy)
        }
    }
}
