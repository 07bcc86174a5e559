internal import LocationProtocol
internal import LocationctlSupport

/// The question who the receiver is, which it gets only after a yes.
extension SetupStateMachine {
    /// The number of reports, one a second, until the receiver must have answered: three questions take 9 s, after 5 s
    /// for opening the port.
    private static let answerReports = 25

    /// Asks whether the receiver may be asked who it is. Without a yes, it gets not a byte, also if the options answer
    /// every question.
    mutating func introduce(_ port: SetupPort, _ permission: SetupPermission) -> [Action] {
        guard !options.isConfirmed, isWritten, port.service == nil else { return endWait(permission) }
        state = .introducing(port, permission)
        return [.question(SetupText.introduction)]
    }

    mutating func introduced(_ line: String?, _ port: SetupPort, _ permission: SetupPermission) -> [Action] {
        // A line that was typed to end the wait is not a yes.
        switch SetupText.answer(line ?? "", preferred: false) {
        case true?:
            state = .asking(port, permission, remaining: Self.answerReports)
            return [.ask(source: port.source, true)]
        case false?: return endWait(permission)
        case nil: return [.question(SetupText.yesOrNo)]
        }
    }

    mutating func answered(
        _ receiver: ReceiverSummary, _ port: SetupPort, _ permission: SetupPermission, remaining: Int
    ) -> [Action] {
        if let identity = receiver.identity {
            return [.print(SetupText.identity(identity))] + endWait(permission)
        }
        state = .asking(port, permission, remaining: remaining - 1)
        guard remaining <= 1 else { return [.progress(translated("Asking the receiver ..."))] }
        return [.print(SetupText.noIdentity), .ask(source: port.source, false)] + endWait(permission)
    }

    private mutating func endWait(_ permission: SetupPermission) -> [Action] { [.endWait] + offer(permission) }
}
