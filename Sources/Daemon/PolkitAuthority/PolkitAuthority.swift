package import Bus
package import LocationCore
package import Logging
package import NIOCore

/// polkit, which decides about processes whose user is not in the group of the management socket.
///
/// It needs the bus only while questions are open. While polkit is away, questions get no answer, and each new question
/// looks for it again. Confined to the event loop.
package final class PolkitAuthority: ManagementAuthority {
    static let serviceName = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    /// An open question.
    private struct Question {
        let permission: ManagementPermission
        let process: ManagingProcess
        let mayAskUser: Bool
        var isSent = false
        let body: (ManagementVerdict) -> Void
    }

    private let loop: any EventLoop
    private let log: Logger
    private let service: BusService
    private var questions: [UInt64: Question] = [:]
    private var lastNumber: UInt64 = 0
    /// The last problem in the log, so that each question does not repeat it.
    private var logged: String?

    /// Creates the authority. It does nothing until the first question.
    package init(_ bus: Bus, on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        service = BusService(Self.serviceName, on: bus, isStarted: true)
        service.onEvent = { [unowned self] in handle($0) }
    }

    /// Drops all questions. None of them is answered.
    package func stop() {
        questions = [:]
        service.close()
    }

    // MARK: Questions

    package func ask(
        _ permission: ManagementPermission, for process: ManagingProcess, mayAskUser: Bool,
        _ body: @escaping (ManagementVerdict) -> Void
    ) -> UInt64 {
        lastNumber += 1
        questions[lastNumber] = Question(
            permission: permission, process: process, mayAskUser: mayAskUser, body: body)
        // The answer never comes within this call.
        if service.owner == nil { service.open() } else { send(lastNumber) }
        return lastNumber
    }

    package func withdraw(_ question: UInt64) {
        guard let withdrawn = questions.removeValue(forKey: question) else { return }
        if withdrawn.isSent {
            // An error is ignored: the question may just have been answered.
            service.call(
                "CancelCheckAuthorization", of: Self.interface, at: Self.path,
                [.string(Self.cancellation(question))], timeout: nil
            ) { _ in }
        }
        closeWhenIdle()
    }

    private static func cancellation(_ question: UInt64) -> String { "locationd-\(question)" }

    /// Sends a question to polkit.
    ///
    /// Attack: an app names another process. So the subject is the process that the kernel names, with its start time
    /// and the user that it had when it connected. Its pidfd, which polkit accepts from version 124 on, is not used: a
    /// connection that can pass descriptors also receives those that any other process on the bus sends, and closing
    /// one of them may take as long as its sender likes. Nothing is lost, because the caller checks after the answer
    /// that the process is alive.
    private func send(_ number: UInt64) {
        guard let question = questions[number] else { return }
        questions[number]?.isSent = true
        // Flags 1: polkit may ask the user (AllowUserInteraction).
        service.call(
            "CheckAuthorization", of: Self.interface, at: Self.path,
            [
                question.process.subject, .string(question.permission.action), .texts([:]),
                .uint32(question.mayAskUser ? 1 : 0),
                .string(Self.cancellation(number)),
            ], timeout: nil
        ) { [unowned self] reply in
            // Attack: a user asks and withdraws without end, to fill the log with the errors of cancelled questions.
            if questions[number] != nil { finish(number, verdict(reply)) }
        }
    }

    private func verdict(_ reply: CallReply) -> ManagementVerdict {
        switch reply {
        case .message(let message):
            guard let result = message.authorizationResult else {
                logProblem("polkit's answer cannot be read")
                return .unavailable
            }
            logged = nil
            return result
        case .failure(let failure):
            logProblem("polkit cannot be asked: \(failure.text)")
            return .unavailable
        case .none: return .unavailable
        }
    }

    private func finish(_ number: UInt64, _ verdict: ManagementVerdict) {
        questions.removeValue(forKey: number)?.body(verdict)
        closeWhenIdle()
    }

    // MARK: The service

    private func handle(_ event: BusService.Event) {
        switch event {
        case .found: for number in unsent { send(number) }
        case .absent(let reason):
            logProblem("polkit is not available: \(reason)")
            end(unsent)
        case .disconnected(let reason):
            logProblem(reason)
            end(questions.keys.sorted())
        }
    }

    /// The questions that have not been sent yet, oldest first.
    private var unsent: [UInt64] { questions.filter { !$0.value.isSent }.keys.sorted() }

    /// Ends questions without an answer.
    private func end(_ numbers: [UInt64]) {
        for number in numbers { finish(number, .unavailable) }
    }

    /// Leaves the bus if no question is open. The daemon keeps no connection that it does not need, and does not
    /// reconnect for nothing.
    private func closeWhenIdle() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            if bound.value.questions.isEmpty { bound.value.service.close() }
        }
    }

    /// Logs a problem unless it is the last one in the log.
    ///
    /// Attack: a user asks without end, to fill the log.
    private func logProblem(_ problem: String) {
        guard problem != logged else { return }
        logged = problem
        log.warning("users who are not in the group locationd cannot manage: \(problem)")
    }
}

extension ManagementPermission {
    /// The id of the action, which data/polkit/io.locationd.policy declares.
    var action: String {
        switch self {
        case .answer: "io.locationd.answer"
        case .manage: "io.locationd.manage"
        }
    }
}

extension ManagingProcess {
    /// polkit's subject: polkit(8), "unix-process".
    fileprivate var subject: BusValue {
        .structure([
            .string("unix-process"),
            .properties([
                PropertyValue("pid", .uint32(UInt32(clamping: pid))), PropertyValue("start-time", .uint64(startTime)),
                PropertyValue("uid", .int32(Int32(bitPattern: uid))),
            ]),
        ])
    }
}

extension BusMessage {
    /// The result in a reply of CheckAuthorization, or `nil` if it cannot be read.
    fileprivate var authorizationResult: ManagementVerdict? {
        readStructure("bba{ss}") {
            guard let isAuthorized = readBoolean(), let isChallenge = readBoolean() else { return nil }
            if isAuthorized { return .authorized }
            // polkit reports no challenge when the user closes the dialog.
            return isChallenge ? .authenticationNeeded : .refused
        }
    }
}
