import LocationModel

@testable import AuthorizationPolicy

/// The futures that each state must still have, whatever happened before. Each is tried on a copy.
struct WayOut: Sendable {
    let name: String
    /// Returns whether the daemon reaches the end for an app.
    let isOpen: @Sendable (ModelledDaemon, Int) -> Bool

    static let all = [
        WayOut(name: "with a working disk and a user, every request is answered and every prompt is over") {
            $0.isSettled(writing: true, $1)
        },
        WayOut(name: "the same with a broken disk") { $0.isSettled(writing: false, $1) },
        WayOut(name: "a user can deny an app, at once and on the disk", isOpen: canBeDenied),
        WayOut(name: "a user can grant an app", isOpen: canBeGranted),
        WayOut(name: "after a reset, an app can prompt again on the next day", isOpen: canPromptAgain),
        WayOut(name: "when all apps have left, nothing is kept that is not on the disk", isOpen: isForgotten),
    ]

    private static func canBeDenied(_ daemon: ModelledDaemon, _ index: Int) -> Bool {
        var daemon = daemon
        guard daemon.apply(.decide(index, .denied, isLate: false)), !daemon.delivers(to: index) else { return false }
        daemon.finishWrites(successfully: true)
        return daemon.apps[index].stored == .denied && !daemon.delivers(to: index)
            && daemon.apps[index].requests.isEmpty && daemon.machine.prompt(about: daemon.apps[index].key) == nil
    }

    private static func canBeGranted(_ daemon: ModelledDaemon, _ index: Int) -> Bool {
        var daemon = daemon
        let key = daemon.apps[index].key
        let grant = Decision(level: .always)
        guard daemon.apply(.decide(index, grant, isLate: false)) else { return daemon.isRestricted }
        daemon.finishWrites(successfully: true)
        let delivery = daemon.machine.table.delivery(to: key, presence: .background, terms: .single)
        return daemon.apps[index].stored == grant
            && (delivery.isDelivered || !daemon.machine.table.servicesEnabled(for: key.uid))
    }

    private static func canPromptAgain(_ daemon: ModelledDaemon, _ index: Int) -> Bool {
        var daemon = daemon
        let key = daemon.apps[index].key
        guard daemon.apply(.decide(index, nil, isLate: false)) else { return false }
        daemon.finishWrites(successfully: true)
        daemon.disconnect(index)
        _ = daemon.apply(.clock(.toMidnight))
        daemon.connect(.first, of: index)
        daemon.request(.level(.whenInUse), by: index)
        return daemon.machine.prompt(about: key)?.subject == .whenInUse || daemon.isQueued(index)
            || daemon.machine.table.authorization(of: key).status != .notDetermined
    }

    private static func isForgotten(_ daemon: ModelledDaemon, _ index: Int) -> Bool {
        var daemon = daemon
        for index in daemon.apps.indices { daemon.disconnect(index) }
        daemon.finishWrites(successfully: true)
        _ = daemon.apply(.clock(.tenSeconds))
        for prompt in daemon.machine.prompts where daemon.index(of: prompt.app) != nil {
            // No request waits for this one, so it has no timeout.
            guard prompt.subject == .keepAlways, let index = daemon.index(of: prompt.app) else { return false }
            _ = daemon.apply(.answer(index, .dismiss, nil, isLate: false))
        }
        _ = daemon.apply(.clock(.toMidnight))
        daemon.finishWrites(successfully: true)
        return daemon.machine.hasOnlyStoredState || !daemon.scope.crowd.isEmpty
    }
}

extension ModelledDaemon {
    /// Returns whether an app waits for another prompt of its user to close.
    func isQueued(_ index: Int) -> Bool {
        var queue = machine.queue
        while let app = queue.dequeue(of: apps[index].key.uid) {
            if app == apps[index].key { return true }
        }
        return false
    }

    /// Finishes all writes and dismisses all prompts. Returns whether nothing is left to do for an app then.
    fileprivate func isSettled(writing: Bool, _ index: Int) -> Bool {
        var daemon = self
        for _ in 0..<8 {
            daemon.finishWrites(successfully: writing)
            for index in apps.indices where daemon.machine.prompt(about: apps[index].key) != nil {
                guard daemon.apply(.answer(index, .dismiss, nil, isLate: false)) else { return false }
            }
        }
        return daemon.writes.isEmpty && daemon.apps[index].requests.isEmpty
            && daemon.machine.prompt(about: apps[index].key) == nil
    }
}
