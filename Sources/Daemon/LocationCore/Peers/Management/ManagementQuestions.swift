internal import EventLoopSupport
internal import Linux
internal import NIOCore

/// The questions to the ``ManagementAuthority`` that are open: at most one for each client.
///
/// Attack: while the authority thinks, the process ends, and its id passes to a process that is authorized. So the
/// pidfd has to be alive after the start time was read, and again after the answer: then no other process has had the
/// id in between, and the answer is about this one.
///
/// An answer holds for the call that it was asked for, and is not kept: the next call asks again. The authority knows
/// whether the session is still active, and for how long a password counts.
final class ManagementQuestions {
    /// The timeout for the answer to a question. A user has to find a password in that time.
    static let timeout = TimeAmount.seconds(120)

    /// A question that is open.
    private struct Question {
        let number: UInt64
        let user: UInt32
        let timer: LoopTimer
        /// Ends the look-up or the question to the authority.
        var withdraw: () -> Void
        let body: (ManagementRefusal?) -> Void
    }

    private let lookups: PeerLookups
    private let timeout: TimeAmount
    private let loop: any EventLoop
    private var quota = QuestionQuota()
    private var questions: [ObjectIdentifier: Question] = [:]
    private var lastNumber: UInt64 = 0
    /// The authority, or `nil` if there is none.
    weak var authority: (any ManagementAuthority)?

    init(lookups: PeerLookups, timeout: TimeAmount, on loop: any EventLoop) {
        self.lookups = lookups
        self.timeout = timeout
        self.loop = loop
    }

    /// Asks whether a client has a permission. `body` is called once, with `nil` or the reason for a refusal, unless
    /// the question is withdrawn first.
    ///
    /// - Parameters:
    ///   - process: The client's process.
    ///   - user: The user to count the question for.
    ///   - mayAskUser: `true` if the user may be asked to authenticate.
    func ask(
        _ permission: ManagementPermission, for client: any Client, _ process: ProcessDescriptor,
        countedFor user: UInt32, mayAskUser: Bool,
        _ body: @escaping (ManagementRefusal?) -> Void
    ) {
        guard let authority else { return body(.unavailable) }
        guard client.pid > 0, process.isAlive else { return body(.refused) }
        let id = ObjectIdentifier(client)
        guard questions[id] == nil else { return body(.limitExceeded("questionsPerConnection")) }
        do throws(ManagementRefusal) { try quota.enter(user) } catch { return body(error) }
        lastNumber += 1
        let number = lastNumber
        let lookup = lookups.startTime(of: process, uid: client.uid)
        let timer = LoopTimer(on: loop)
        questions[id] = Question(number: number, user: user, timer: timer, withdraw: lookup.withdraw, body: body)
        timer.set(in: timeout) { [unowned self] in finish(id, .unavailable) }
        lookup.result.assumeIsolated().whenSuccess { [self, weak authority] startTime in
            guard questions[id]?.number == number else { return }
            questions[id]?.withdraw = {}
            guard let startTime, process.isAlive else { return finish(id, .refused) }
            guard let authority else { return finish(id, .unavailable) }
            let subject = ManagingProcess(pid: client.pid, startTime: startTime, uid: client.uid)
            let question = authority.ask(permission, for: subject, mayAskUser: mayAskUser) { [self] verdict in
                guard questions[id]?.number == number else { return }
                questions[id]?.withdraw = {}
                finish(id, process.isAlive ? ManagementRefusal(verdict) : .refused)
            }
            questions[id]?.withdraw = { [weak authority] in authority?.withdraw(question) }
        }
    }

    /// Withdraws the question of a client whose connection is closed.
    func withdraw(_ client: any Client) { _ = end(ObjectIdentifier(client)) }

    /// Withdraws all questions.
    func stop() {
        for id in Array(questions.keys) { _ = end(id) }
    }

    private func finish(_ id: ObjectIdentifier, _ refusal: ManagementRefusal?) { end(id)?.body(refusal) }

    private func end(_ id: ObjectIdentifier) -> Question? {
        guard let question = questions.removeValue(forKey: id) else { return nil }
        quota.leave(question.user)
        question.timer.cancel()
        question.withdraw()
        return question
    }
}

extension ManagementRefusal {
    /// Creates the refusal for an answer, or `nil` if the answer is yes.
    fileprivate init?(_ verdict: ManagementVerdict) {
        switch verdict {
        case .authorized: return nil
        case .refused: self = .refused
        case .authenticationNeeded: self = .authenticationNeeded
        case .unavailable: self = .unavailable
        }
    }
}
