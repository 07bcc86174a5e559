internal import Dispatch
internal import EventLoopSupport
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// What this app may have, as last heard; and the questions that it has the user asked.
final class AppAuthorization: Sendable {
    /// How long a caller waits for what is not known yet, at most. The daemon answers within a millisecond.
    private static let timeout = DispatchTimeInterval.milliseconds(250)
    /// After how long the daemon is asked again that has refused to be listened to.
    private static let pause = TimeAmount.seconds(5)

    private struct Heard {
        var value: AuthorizationState?
        var isAsked = false
    }

    private struct State {
        var observers = Observers<AuthorizationState>()
        var questions = AuthorizationQuestions()
    }

    private let client: LocationClient
    private let loop: any EventLoop
    private let heard = NIOLockedValueBox(Heard())
    private let state: NIOLoopBoundBox<State>
    /// Left for the first time when something was heard, and again by everybody who has waited.
    private let isHeard = DispatchSemaphore(value: 0)

    init(_ client: LocationClient, on loop: any EventLoop) {
        self.client = client
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// What is known by now, without waiting.
    var known: AuthorizationState? { heard.withLockedValue(\.value) }

    /// What holds; as if nobody had decided where the daemon does not answer.
    var current: AuthorizationState {
        if let known { return known }
        begin()
        if isHeard.wait(timeout: .now() + Self.timeout) == .success { isHeard.signal() }
        return known ?? .unheard
    }

    /// Begins to listen, where that has not begun.
    func begin() {
        guard !heard.withLockedValue({ exchange(&$0.isAsked, with: true) }) else { return }
        // The stream says nothing while there is no daemon; this does.
        client.authorizationRequest().send { [self] result in
            if known == nil || known == .unheard { take((try? result.get()) ?? .unheard) }
        }
        _ = client.authorizationChanges.subscribe(waitsForDaemon: true) { [self] step in
            switch step {
            case .element(let value): take(value)
            // Refused, for one connection too many: without it no change would ever be heard.
            case .ended: loop.scheduleTask(in: Self.pause) { [self] in beginAgain() }
            }
        }
    }

    // MARK: On the event loop

    private func beginAgain() {
        heard.withLockedValue { $0.isAsked = false }
        begin()
    }

    /// Tells `body`, on the event loop, what holds: at once if it is known, at every change, and when a question has ended.
    func observe(_ body: @escaping @Sendable (AuthorizationState) -> Void) -> Observers<AuthorizationState>.Identifier {
        let identifier = state.value.observers.add(body)
        if let known { body(known) }
        return identifier
    }

    func remove(_ identifier: Observers<AuthorizationState>.Identifier) {
        state.value.observers.remove(identifier)
    }

    private func take(_ value: AuthorizationState) {
        let before = heard.withLockedValue { exchange(&$0.value, with: value) }
        if before == nil { isHeard.signal() }
        guard before != value else { return }
        tell(value)
    }

    private func tell(_ value: AuthorizationState) {
        for body in state.value.observers.all { body(value) }
    }

    // MARK: Questions

    /// A Boolean value indicating whether the user is being asked at this moment.
    var isAsking: Bool { state.value.questions.isAsking }

    /// Has the user asked, who is not where it is decided. Without a usage description it only says so.
    func ask(_ level: AuthorizationLevel) {
        guard state.value.questions.ask(level) else { return }
        send(level)
    }

    private func send(_ level: AuthorizationLevel) {
        client.authorizationRequest(level, reason: UsageTexts.reason(for: level)).send { [self] result in
            switch state.value.questions.answered(level, result.failure) {
            case .nothing: break
            case .sayWhatIsMissing: UsageTexts.complain(of: level)
            case .askAgain(let seconds):
                loop.scheduleTask(in: .clamping(seconds: seconds)) { [self] in send(level) }
                return
            }
            // That nobody is asked any more is told as well; with the change, where the answer is one.
            if let known, (try? result.get()) ?? known == known { tell(known) }
        }
    }

    /// Has the user asked for full accuracy.
    ///
    /// - Parameter completion: called on the event loop with an error if nobody was asked, after the authorization that was
    ///   answered has been heard.
    func askForFullAccuracy(purposeKey: String, completion: @escaping @Sendable (CLError?) -> Void) {
        client.temporaryFullAccuracyRequest(purposeKey: purposeKey).send { [self] result in
            switch result {
            case .success(let answer): afterHearing(answer) { completion(nil) }
            case .failure: completion(CLError(.promptDeclined))
            }
        }
    }

    /// The answer and the change come on two connections. What comes first decides nothing: the change is waited for, but
    /// not for long, since another one may have followed it already.
    private func afterHearing(_ answer: AuthorizationState, _ body: @escaping @Sendable () -> Void) {
        guard answer != known else { return body() }
        let wait = NIOLoopBound(HearingWait(), eventLoop: loop)
        let finish: @Sendable () -> Void = { [self] in
            guard let identifier = wait.value.identifier else { return }
            wait.value.identifier = nil
            remove(identifier)
            body()
        }
        wait.value.identifier = state.value.observers.add { if $0 == answer { finish() } }
        loop.scheduleTask(in: .milliseconds(500), finish)
    }
}

private final class HearingWait {
    var identifier: Observers<AuthorizationState>.Identifier?
}

extension AuthorizationState {
    /// While nothing can be heard of the daemon.
    static var unheard: AuthorizationState {
        AuthorizationState(status: .notDetermined, accuracy: .full, servicesEnabled: false)
    }
}

extension Result {
    /// The error of one that failed.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
