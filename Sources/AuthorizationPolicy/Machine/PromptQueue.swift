internal import LocationModel

/// The apps whose requests wait until one of their user's prompts is closed, in the order in which they came.
///
/// Holds an app once, and only apps with a pending request: the caller bounds those.
struct PromptQueue: Sendable {
    private var apps: [UInt32: [AppKey]] = [:]

    /// The users whose apps wait, in ascending order.
    var users: [UInt32] { apps.keys.sorted() }

    /// Puts the app at the end, unless it waits already.
    mutating func enqueue(_ app: AppKey) {
        guard apps[app.uid]?.contains(app) != true else { return }
        apps[app.uid, default: []].append(app)
    }

    /// Takes out the app of the user that has waited longest.
    mutating func dequeue(of uid: UInt32) -> AppKey? {
        guard let first = apps[uid]?.first else { return nil }
        remove(first)
        return first
    }

    /// Takes out the app, if it waits.
    mutating func remove(_ app: AppKey) {
        guard let index = apps[app.uid]?.firstIndex(of: app) else { return }
        apps[app.uid]?.remove(at: index)
        if apps[app.uid]?.isEmpty == true { apps[app.uid] = nil }
    }
}
