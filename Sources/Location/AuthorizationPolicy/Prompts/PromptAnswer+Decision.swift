public import LocationModel

extension PromptAnswer {
    /// Returns the answers that a prompt offers, in display order.
    ///
    /// At a prompt that would extend an existing grant, "deny" could refer to the request or to the app. So it is not
    /// offered there: "while using" keeps the existing grant, and a grant is revoked elsewhere.
    public static func offered(for subject: OpenPrompt.Subject) -> [PromptAnswer] {
        switch subject {
        case .whenInUse: [.deny, .once, .whileUsing, .untilTomorrow, .dismiss]
        case .always: [.deny, .once, .whileUsing, .untilTomorrow, .always, .dismiss]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .dismiss]
        case .temporaryFullAccuracy: [.deny, .once, .dismiss]
        }
    }
}

extension PromptAnswer {
    /// Returns the decision that results from this answer, or `nil` for a dismissal or an answer about temporary full
    /// accuracy.
    ///
    /// - Parameters:
    ///   - accuracy: The accuracy that the user chose, or `nil` for the prompt's default.
    ///   - untilTomorrow: The lifetime of the answer "until tomorrow".
    ///   - current: The decision in effect.
    func decision(
        on prompt: OpenPrompt, accuracy: AccuracyAuthorization?, untilTomorrow: Decision.Lifetime, current: Decision?
    ) -> Decision? {
        let accuracy = accuracy ?? prompt.defaultAccuracy
        let isUpgrade = prompt.subject == .alwaysInsteadOfWhenInUse || prompt.subject == .keepAlways
        switch (prompt.subject, self) {
        case (.temporaryFullAccuracy, _), (_, .dismiss): return nil
        case (_, .deny): return .denied
        case (_, .once): return Decision(level: .whenInUse, accuracy: accuracy, lifetime: .once)
        case (_, .untilTomorrow):
            return Decision(level: .whenInUse, accuracy: accuracy, lifetime: untilTomorrow)
        case (_, .whileUsing) where isUpgrade:
            return Decision(
                level: .whenInUse, accuracy: accuracy, lifetime: current?.lifetime ?? .once, alwaysPromptSpent: true)
        case (.always, .whileUsing): return Decision(level: .provisionalAlways, accuracy: accuracy)
        case (_, .whileUsing): return Decision(level: .whenInUse, accuracy: accuracy)
        case (_, .always): return Decision(level: .always, accuracy: accuracy)
        }
    }
}
