import Foundation
import Synchronization
import TestSupport

/// A polkit that gives the answers of a test, and records the questions.
final class FakePolkit: Sendable {
    static let name = "org.freedesktop.PolicyKit1"

    enum Answer {
        case authorized, refused, authenticationNeeded
        /// Nothing is answered.
        case none
    }

    /// A call of CheckAuthorization.
    struct Question: Equatable {
        var pid: UInt32?
        var startTime: UInt64?
        var uid: Int32?
        var action: String?
        var flags: UInt32?
    }

    private struct State {
        var answer: Answer
        /// The answers about certain actions.
        var answers: [String: Answer]
        var questions: [Question] = []
        var cancelled = 0
        var isOver = false
    }

    /// The state, shared with the thread, which ends after the fake is released.
    private final class StateBox: Sendable {
        let value: Mutex<State>

        init(_ answer: Answer, _ answers: [String: Answer]) {
            value = Mutex(State(answer: answer, answers: answers))
        }
    }

    private let state: StateBox

    var questions: [Question] { state.value.withLock { $0.questions } }
    /// The number of questions that were cancelled.
    var cancelled: Int { state.value.withLock { $0.cancelled } }

    /// Takes polkit's name on a bus.
    ///
    /// - Parameter answers: Other answers about certain actions.
    init(on bus: PrivateBus, _ answer: Answer, _ answers: [String: Answer] = [:]) throws {
        let state = StateBox(answer, answers)
        self.state = state
        nonisolated(unsafe) let connection = try bus.connect()
        try connection.own(Self.name)
        Thread.detachNewThread {
            connection.respond = { Self.reply(to: $0, state) }
            while !state.value.withLock({ $0.isOver }), (try? connection.receive()) != nil { connection.wait() }
        }
    }

    deinit { state.value.withLock { $0.isOver = true } }

    /// Answers all further questions with `answer`.
    func change(to answer: Answer) { state.value.withLock { $0.answer = answer } }

    private static func reply(to call: BusMessage, _ state: StateBox) -> [BusValue]? {
        state.value.withLock { state in
            guard call.member == "CheckAuthorization" else {
                state.cancelled += 1
                return []
            }
            let question = Question(call.arguments)
            state.questions.append(question)
            let (isAuthorized, isChallenge): (Bool, Bool)
            switch state.answers[question.action ?? ""] ?? state.answer {
            case .authorized: (isAuthorized, isChallenge) = (true, false)
            case .refused: (isAuthorized, isChallenge) = (false, false)
            case .authenticationNeeded: (isAuthorized, isChallenge) = (false, true)
            case .none: return nil
            }
            return [.structure([.flag(isAuthorized), .flag(isChallenge), .noTexts])]
        }
    }
}

extension FakePolkit.Question {
    /// Reads the arguments of a call: subject, action, details, flags, cancellation id.
    fileprivate init(_ arguments: [BusValue]) {
        guard arguments.count == 5, let subject = arguments[0].list, subject.count == 2,
            subject[0] == .text("unix-process"), let details = subject[1].dictionary
        else { return }
        if case .number(let value)? = details["pid"] { pid = value }
        startTime = details["start-time"]?.longNumber
        if case .signedNumber(let value)? = details["uid"] { uid = value }
        action = arguments[1].text
        if case .number(let value) = arguments[3] { flags = value }
    }
}
