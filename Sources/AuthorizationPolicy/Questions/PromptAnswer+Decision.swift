public import LocationModel

extension PromptAnswer {
    /// The answers to a question, in the order in which they are shown.
    ///
    /// Where the app has the location already, "deny" could mean the request or the app. So it is not offered: to keep
    /// what is, is "while using", and what was granted is taken back elsewhere.
    public static func offered(for subject: Question.Subject) -> [PromptAnswer] {
        switch subject {
        case .whenInUse: [.deny, .once, .whileUsing, .untilTomorrow, .dismiss]
        case .always: [.deny, .once, .whileUsing, .untilTomorrow, .always, .dismiss]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .dismiss]
        case .temporaryFullAccuracy: [.deny, .once, .dismiss]
        }
    }
}

extension PromptAnswer {
    /// The decision that it is, `current` being what holds; `nil` where it is none: dismissed, or about temporary
    /// accuracy.
    ///
    /// - Parameters:
    ///   - accuracy: as the user chose it; `nil` for the question's own.
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
