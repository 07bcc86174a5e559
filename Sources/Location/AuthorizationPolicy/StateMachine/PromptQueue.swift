internal import LocationModel

/// The apps whose requests wait until one of their user's prompts is closed, in order of arrival.
///
/// Contains an app at most once, and only if it has a pending request. The caller limits the number of requests.
struct PromptQueue: Sendable {
    private var apps: [UInt32: [AppKey]] = [:]

    /// The users whose apps wait, in ascending order.
    var users: [UInt32] { apps.keys.sorted() }

    /// Appends the app, unless it is already waiting.
    mutating func enqueue(_ app: AppKey) {
        guard apps[app.uid]?.contains(app) != true else { return }
        apps[app.uid, default: []].append(app)
    }

    /// Removes and returns the user's app that has waited longest, or returns `nil` if no app is waiting.
    mutating func dequeue(of uid: UInt32) -> AppKey? {
        guard let first = apps[uid]?.first else { return nil }
        remove(first)
        return first
    }

    /// Removes the app, if it is waiting.
    mutating func remove(_ app: AppKey) {
        guard let index = apps[app.uid]?.firstIndex(of: app) else { return }
        apps[app.uid]?.remove(at: index)
        if apps[app.uid]?.isEmpty == true { apps[app.uid] = nil }
    }
}
