internal import AuthorizationPolicy
internal import LocationModel
internal import Logging
package import NIOCore

/// Erases the last cell of reduced accuracy once no app may have it, or when a user requests that.
///
/// Attack: a thief gets the disk, and learns where the machine was when the last app with reduced accuracy was revoked,
/// years ago.
///
/// The cell of an app with full accuracy that requests reduced locations is forgotten with the next decision or start
/// while the app does not wait for one. Forgetting it when the app stops requesting would cost the app the rest of the
/// quarter.
///
/// The cell of this quarter stays in memory, so that it is there again if an app may have it again while the quarter
/// lasts. A user who changes an app's accuracy to full and back would otherwise keep it from any location until the
/// next quarter. A user who clears their places means it: then nothing is recalled. Confined to the event loop.
package final class CellRetention {
    private let broker: AuthorizationBroker
    private let gate: Gate
    private let peers: Peers
    private let reduction: ReductionSchedule
    private let loop: any EventLoop
    private let log: Logger
    private var isCheckDue = false

    init(
        broker: AuthorizationBroker, gate: Gate, peers: Peers, reduction: ReductionSchedule, on loop: any EventLoop,
        log: Logger
    ) {
        self.broker = broker
        self.gate = gate
        self.peers = peers
        self.reduction = reduction
        self.loop = loop
        self.log = log
    }

    /// Forgets a cell that no app may have: the power was cut before it was erased, or its last grant ended
    /// while the daemon was not running.
    ///
    /// A cell of this quarter stays until a decision is made: an app may be starting the service to ask for it again.
    func start() {
        if !reduction.isQuarterSearched { forgetIfUnneeded() }
    }

    /// Forgets the cell if a decision leaves no app that may have it. Called before the decision is written, so that
    /// the cell is off the disk when the decision is acknowledged.
    func decisionMade() { forgetIfUnneeded() }

    /// Forgets the cell if no app may have it, or recalls it if one may again. Checks that after the current work of
    /// the loop: one change, such as of a switch, may affect a thousand apps.
    func authorizationChanged() {
        guard !isCheckDue, reduction.hasCell || reduction.canRecall else { return }
        isCheckDue = true
        loop.assumeIsolated().execute {
            self.isCheckDue = false
            self.forgetIfUnneeded()
            if self.reduction.canRecall, self.isNeeded() { self.reduction.recall() }
        }
    }

    /// Forgets the cell because a user clears their places, unless an app of another user needs it. Succeeds once
    /// nothing of the cell is on the disk, or at once if the cell stays.
    ///
    /// Attack: a user keeps having the cell forgotten, and another user's apps get no location.
    package func clear(for uid: UInt32) -> EventLoopFuture<Void> {
        isNeeded(except: uid) ? loop.makeSucceededVoidFuture() : reduction.forget()
    }

    private func forgetIfUnneeded() {
        // A grant for "once" from before a restart may take effect again.
        guard reduction.hasCell, !broker.machine.awaitsReturn, !isNeeded() else { return }
        reduction.forget(mayRecall: true).assumeIsolated().whenFailure { error in
            self.log.error("the last cell of reduced accuracy could not be erased: \(error)")
        }
    }

    /// Returns whether any app, of a user other than `uid`, was granted reduced accuracy or waits for a reduced
    /// location.
    private func isNeeded(except uid: UInt32? = nil) -> Bool {
        broker.table.hasReducedGrant(except: uid)
            || peers.connected.contains { $0.key.uid != uid && $0.wantsReduced(through: gate) }
    }
}
