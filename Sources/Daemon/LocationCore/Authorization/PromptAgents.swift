package import LocationModel

/// The agents that show prompts now, by scope. Confined to the event loop.
package final class PromptAgents {
    /// The prompts that an agent shows.
    package struct Scope: Hashable {
        /// The user whose prompts are shown, or `nil` for all users.
        let uid: UInt32?
        /// A Boolean value indicating whether the prompts of system services are shown too.
        let hasServices: Bool

        package init(uid: UInt32?, hasServices: Bool) {
            self.uid = uid
            self.hasServices = hasServices
        }

        fileprivate func contains(_ app: AppKey) -> Bool {
            (uid == nil || uid == app.uid) && (hasServices || app.app.kind != .service)
        }
    }

    private let changes: Changes
    private var counts: [Scope: Int] = [:]

    init(changes: Changes) {
        self.changes = changes
    }

    /// Returns whether any agent shows the prompts about an app.
    package func show(promptsAbout app: AppKey) -> Bool { counts.keys.contains { $0.contains(app) } }

    /// Adds an agent.
    package func add(_ scope: Scope) {
        counts[scope, default: 0] += 1
        if counts[scope] == 1 { changes.report(.prompts) }
    }

    /// Removes an agent that was added.
    package func remove(_ scope: Scope) {
        guard let count = counts[scope] else { return }
        counts[scope] = count > 1 ? count - 1 : nil
        if count == 1 { changes.report(.prompts) }
    }
}
