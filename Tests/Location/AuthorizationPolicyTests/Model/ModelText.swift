import LocationModel

@testable import AuthorizationPolicy

extension ModelScope {
    /// Returns an event as a line of a trace.
    func text(of event: ModelEvent) -> String {
        let late = event.isLate ? "a minute later, before the timer: " : ""
        return late + words(for: event)
    }

    func name(of index: Int) -> String { "\(apps[index].app.name) of user \(apps[index].uid)" }

    private func words(for event: ModelEvent) -> String {
        switch event {
        case .connect(let app, let process):
            return "\(name(of: app)) connects with its \(process == .first ? "first" : "second") process"
        case .disconnect(let app): return "\(name(of: app)) disconnects"
        case .request(let app, .level(let level)): return "\(name(of: app)) requests \(level)"
        case .request(let app, .fullAccuracy): return "\(name(of: app)) requests temporary full accuracy"
        case .cancel(let app, let request): return "\(name(of: app)) cancels request \(request + 1) of those waiting"
        case .goToBackground(let app): return "\(name(of: app)) goes to the background"
        case .receiveInBackground(let app): return "\(name(of: app)) would receive something in the background"
        case .answer(let app, let answer, let accuracy, _):
            return "the prompt about \(name(of: app)) is answered: \(answer)" + (accuracy.map { ", \($0)" } ?? "")
        case .decide(let app, let decision, _):
            return "a manager decides about \(name(of: app)): \(decision?.words ?? "reset")"
        case .decideUntilTomorrow(let app): return "a manager grants \(name(of: app)) until tomorrow"
        case .setAccuracy(let app, let accuracy, _): return "a manager sets \(name(of: app)) to \(accuracy) accuracy"
        case .keepWhileInUse(let app, _): return "a manager keeps \(name(of: app)) while in use"
        case .revoke(let app, _): return "a manager revokes \(name(of: app))"
        case .setServices(let isOn, let uid):
            return "location services go \(isOn ? "on" : "off") for \(uid.map { "user \($0)" } ?? "the machine")"
        case .restrict(let isRestricted): return "the configuration \(isRestricted ? "restricts" : "allows") all apps"
        case .finishWrite(let isSuccessful): return "the oldest write \(isSuccessful ? "succeeds" : "fails")"
        case .crash(let count, let step, let reboots):
            return "the \(reboots ? "machine" : "daemon") crashes with \(count) pending writes on the disk and starts"
                + (step.map { " when \($0.rawValue)" } ?? "")
        case .clock(let step): return step.rawValue
        }
    }
}

extension Decision {
    var words: String {
        let end = lifetime == .permanent ? "" : ", \(lifetime)"
        return "\(level), \(accuracy) accuracy\(end)\(alwaysPromptSpent ? ", always declined" : "")"
    }
}
