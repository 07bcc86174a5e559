package import Bus
package import LocationCore
package import Logging
package import NIOCore

/// polkit, which decides about processes whose user is not in the group of the management socket.
///
/// It needs the bus only while questions are open. Whoever asks while polkit is away gets no answer, and the next question
/// looks for it again. Confined to the event loop.
package final class PolkitAuthority: ManagementAuthority {
    static let serviceName = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    /// A question that is open.
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

    /// Creates the authority. It does nothing until it is asked.
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
        // The answer does not come within this call.
        if service.owner == nil { service.open() } else { send(lastNumber) }
        return lastNumber
    }

    package func withdraw(_ question: UInt64) {
        guard let withdrawn = questions.removeValue(forKey: question) else { return }
        if withdrawn.isSent {
            // There is nothing to be done about an error: the question may just have been answered.
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
    /// Attack: an app names another process. So the subject is the process that the kernel names, with the time at
    /// which it started, and the user that it had when it connected. It is not named by its pidfd, which polkit takes
    /// from version 124 on: a connection over which descriptors go also gets those that anybody on the bus sends, and
    /// closing such a one may take as long as its sender likes. The caller checks that the process is alive after the
    /// answer, so nothing is lost.
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
            // Attack: a user asks and withdraws without end, to fill the log with the errors of what was cancelled.
            if questions[number] != nil { finish(number, verdict(reply)) }
        }
    }

    private func verdict(_ reply: CallReply) -> ManagementVerdict {
        switch reply {
        case .message(let message):
            guard let result = message.authorizationResult else {
                note("polkit's answer cannot be read")
                return .unavailable
            }
            logged = nil
            return result
        case .failure(let failure):
            note("polkit cannot be asked: \(failure.text)")
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
            note("polkit is not available: \(reason)")
            end(unsent)
        case .disconnected(let reason):
            note(reason)
            end(questions.keys.sorted())
        }
    }

    /// The questions that were not sent yet, in their order.
    private var unsent: [UInt64] { questions.filter { !$0.value.isSent }.keys.sorted() }

    /// Ends questions without an answer.
    private func end(_ numbers: [UInt64]) {
        for number in numbers { finish(number, .unavailable) }
    }

    /// Leaves the bus if no question is open. The daemon keeps no connection that it does not need, and does not try
    /// again to connect.
    private func closeWhenIdle() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            if bound.value.questions.isEmpty { bound.value.service.close() }
        }
    }

    /// Logs a problem, unless it was the last one in the log.
    ///
    /// Attack: a user asks without end, to fill the log.
    private func note(_ problem: String) {
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
            // A user who closes the dialog makes no challenge.
            return isChallenge ? .authenticationNeeded : .refused
        }
    }
}
