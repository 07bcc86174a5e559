internal import NIOCore

/// The questions who the receiver is, and what follows from the answer.
extension ReceiverSettingsStateMachine {
    mutating func ask(_ question: Int, attempt: Int = 1, at now: NIODeadline) -> [Action] {
        phase = .identifying(question, attempt: attempt, until: now + answerTimeout)
        return [.write(questions[question].bytes(in: profile.dialect ?? .auto))]
    }

    /// Asks again after a timeout, or asks the next question.
    mutating func askAgain(_ question: Int, attempt: Int, at now: NIODeadline) -> [Action] {
        if attempt < Self.maximumAttempts { return ask(question, attempt: attempt + 1, at: now) }
        if question + 1 < questions.count { return ask(question + 1, at: now) }
        exchanges.reports[.identity] = .unanswered
        phase = .settled
        return []
    }

    /// Handles a message after a question.
    mutating func receive(_ message: ReceiverMessage, to question: Int, at now: NIODeadline) -> [Action] {
        if message.isFix == true { hasFix = true }
        guard let (identity, dialect) = IdentityQuestion.identity(in: message, isUSB: isUSB),
            profile.dialect == .auto || profile.dialect == dialect.name, questions[question].fits(dialect.name)
        else { return [] }
        answeredQuestion = question
        return identified(identity, dialect, at: now)
    }

    private mutating func identified(
        _ identity: ReceiverIdentity, _ dialect: any ReceiverDialect, at now: NIODeadline
    ) -> [Action] {
        if let old = self.identity, old != identity { forgetReceiver() }
        (self.identity, self.dialect, exchanges.reports[.identity]) = (identity, dialect, nil)
        (phase, isIdentified, requested) = (.settled, true, [])
        var actions: [Action] = []
        // A daemon that was killed may have left it with a stopped engine.
        if profile.standsBy, let start = dialect.start { actions.append(.write(start)) }
        if profile.standsBy, dialect.standby.isEmpty { standby.outcome = .unsupported }
        if profile.helps, !hasFix { actions.append(.help) }
        if profile.assistance.contains(.database) {
            actions += transfer.begin(
                dialect.database, of: identity, capacity: rate.capacity, hasFix: hasFix, at: now)
        }
        addSettings()
        exchanges.addLostUndos()
        watch.begin(dialect.startText, hasValues: !requested.isEmpty, at: now)
        return proceed(after: actions + exchanges.proceed(at: now).map(Action.write), at: now)
    }

    private mutating func forgetReceiver() {
        (identity, dialect) = (nil, nil)
        exchanges = SettingExchanges(answerTimeout: answerTimeout, keepsMessages: profile.sendsUBX)
        transfer = DatabaseTransfer(device: device, answerTimeout: answerTimeout)
        standby = StandbyTrial()
    }

    /// Returns the commands that help the receiver with its first fix, and records the outcome.
    package mutating func commands(helping help: FirstFixHelp) -> [UInt8] {
        guard let dialect else { return [] }
        let time = profile.assistance.contains(.time) ? help.time : nil
        let position = profile.assistance.contains(.position) ? help.position : nil
        let commands: [(ReceiverSetting.Name, ReceiverMessage?)?] = [
            time.map { (.time, dialect.help(time: $0)) },
            position.map { (.position, dialect.help(position: $0, time: time)) },
        ]
        return commands.compactMap(\.self).flatMap { name, command in
            exchanges.reports[name] = command == nil ? .unsupported : .sent
            return command?.frame ?? []
        }
    }
}
