internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The notifications on the desktop, and the answers that the user gives through them.
struct NotificationAgentStateMachine {
    enum Action: Equatable {
        case show(Prompt, NotificationText.Extent)
        /// Remove the notification with this id.
        case withdraw(UInt32)
        case answer(id: Int, PromptAnswer, AccuracyAuthorization? = nil)
    }

    /// The reason in NotificationClosed if the user closed the notification.
    private static let closedByUser: UInt32 = 2

    /// A notification, with the server that shows it. Attack: any program on the bus can send the signal of a pressed
    /// button, so an app could grant itself the location. Only signals from this server count.
    private struct Notification {
        var prompt: Prompt
        var extent: NotificationText.Extent
        var token: NotificationToken
        var id: UInt32
        var server: String
        /// The time when it was first shown, in seconds.
        var since: Double
    }

    private var prompts: [Prompt] = []
    private var shown: [Notification] = []

    /// Applies the list of open prompts.
    mutating func received(_ list: [Prompt]) -> [Action] {
        let gone = shown.filter { !list.contains($0.prompt) }
        shown.removeAll { !list.contains($0.prompt) }
        let new = list.filter { !prompts.contains($0) }
        prompts = list
        return gone.map { .withdraw($0.id) } + new.map { .show($0, .brief) }
    }

    /// Records that a notification shows a prompt.
    mutating func isShown(
        _ prompt: Prompt, _ extent: NotificationText.Extent = .brief, _ token: NotificationToken, id: UInt32,
        by server: String, at time: Double
    ) {
        // Each server has its own ids: a restarted one counts from the beginning again.
        shown.removeAll { $0.id == id && $0.server == server }
        shown.append(
            Notification(prompt: prompt, extent: extent, token: token, id: id, server: server, since: time))
    }

    /// Handles a press of a notification's button. The notification is removed: some servers leave it there.
    ///
    /// Attack: an app replaces the notification by its id with one of its own, "An update is ready [Later]", and the
    /// press comes from the real server. The app does not know the keys of this notification, so its own key shows that
    /// the notification was replaced, and the prompt is shown again. It is also shown again after a press that comes
    /// too early for the user to have read it, since every program has now seen its key.
    mutating func invoked(_ id: UInt32, _ key: String, by sender: String, at time: Double) -> [Action] {
        guard let notification = remove(id, sender) else { return [] }
        let (prompt, extent) = (notification.prompt, notification.extent)
        switch NotificationButtons(prompt, extent, notification.token).press(key) {
        case .answer(let answer, let accuracy) where time - notification.since >= ShownPrompts.settlingSeconds:
            return [.answer(id: prompt.id, answer, accuracy), .withdraw(id)]
        case .more: return [.withdraw(id), .show(prompt, .whole)]
        case .answer, nil: return [.withdraw(id), .show(prompt, extent)]
        }
    }

    /// Handles the closing of a notification, which is not an answer. If the user closed it, the prompt is dismissed
    /// and the app may ask again; if the server did, the prompt stays open.
    mutating func closed(_ id: UInt32, reason: UInt32, by sender: String) -> Action? {
        guard let notification = remove(id, sender), reason == Self.closedByUser,
            notification.prompt.answers.contains(.dismiss)
        else { return nil }
        return .answer(id: notification.prompt.id, .dismiss)
    }

    /// Handles the arrival of another server: the notifications of the previous one are gone.
    mutating func serverChanged(to server: String) -> [Action] {
        let lost = shown.filter { $0.server != server }
        shown.removeAll { $0.server != server }
        return lost.map { .show($0.prompt, $0.extent) }
    }

    private mutating func remove(_ id: UInt32, _ sender: String) -> Notification? {
        guard let index = shown.firstIndex(where: { $0.id == id && $0.server == sender }) else { return nil }
        return shown.remove(at: index)
    }
}
