internal import LocationModel
internal import LocationProtocol

/// Which questions stand on the desktop as notifications, and what comes of them.
struct NotificationDesk {
    enum Action: Equatable {
        case show(Prompt)
        /// Take the notification of that id away.
        case withdraw(UInt32)
        case answer(id: Int, PromptAnswer)
    }

    /// The reason of NotificationClosed when the user closed it.
    private static let closedByPerson: UInt32 = 2

    /// A notification is the server's that showed it: any program on the bus can send such signals, and an app that
    /// did would grant itself what it asks for.
    private struct Notification {
        var prompt: Prompt
        var id: UInt32
        var server: String
    }

    private var prompts: [Prompt] = []
    private var shown: [Notification] = []

    /// These questions are open.
    mutating func received(_ list: [Prompt]) -> [Action] {
        let gone = shown.filter { !list.contains($0.prompt) }
        shown.removeAll { !list.contains($0.prompt) }
        let new = list.filter { !prompts.contains($0) }
        prompts = list
        return gone.map { .withdraw($0.id) } + new.map { .show($0) }
    }

    /// A question stands on the desktop.
    mutating func isShown(_ prompt: Prompt, id: UInt32, by server: String) {
        // Ids are the server's: one that was started again counts anew.
        shown.removeAll { $0.id == id && $0.server == server }
        shown.append(Notification(prompt: prompt, id: id, server: server))
    }

    /// A notification's button was pressed.
    mutating func invoked(_ id: UInt32, _ key: String, by sender: String) -> Action? {
        guard let notification = take(id, sender), let answer = PromptAnswer(rawValue: key),
            notification.prompt.answers.contains(answer)
        else { return nil }
        return .answer(id: notification.prompt.id, answer)
    }

    /// A notification was closed. That is no answer: by the user, the app may ask again; by the server, the question
    /// stays open.
    mutating func closed(_ id: UInt32, reason: UInt32, by sender: String) -> Action? {
        guard let notification = take(id, sender), reason == Self.closedByPerson,
            notification.prompt.answers.contains(.dismiss)
        else { return nil }
        return .answer(id: notification.prompt.id, .dismiss)
    }

    /// Another server shows notifications now: what the one before it showed is gone.
    mutating func serverChanged(to server: String) -> [Action] {
        let lost = shown.filter { $0.server != server }.map(\.prompt)
        shown.removeAll { $0.server != server }
        return lost.map { .show($0) }
    }

    private mutating func take(_ id: UInt32, _ sender: String) -> Notification? {
        guard let index = shown.firstIndex(where: { $0.id == id && $0.server == sender }) else { return nil }
        return shown.remove(at: index)
    }
}
