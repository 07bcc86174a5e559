internal import AuthorizationPolicy
package import LocationModel
package import NIOCore
internal import Positioning

/// Erasing kept data: with the grant that it was kept under, or because its user says so.
extension Monitoring {
    /// Forgets everything that is kept for an app, because its grant has ended. The store erases the same when it
    /// writes the decision.
    ///
    /// Attack: an app that was revoked or reset is granted the location again, perhaps years later and by another
    /// person at the machine. Its old regions would be watched again, and the socket that it had named would start it.
    func grantEnded(of key: AppKey) { drop(key) }

    /// Forgets the visits of a user who no longer has an app with the location always. The store erases the same when
    /// it writes the decision.
    func alwaysEnded(of uid: UInt32) {
        writer.dropVisits(of: uid)
        visitLog.clear(uid)
    }

    /// Forgets where a user was: the visits, and the events and locations kept for the user's apps. Succeeds once that
    /// is on the disk.
    package func clearPlaces(of uid: UInt32) -> EventLoopFuture<Void> {
        visitLog.clear(uid)
        delivery.forgetEvents(of: uid)
        for app in apps.values where app.key.uid == uid { store(lastDelivered: nil, of: app) }
        // A user's changes keep their order, so this is the last one.
        return writer.writing(.clearVisits(uid: uid))
    }

    /// Forgets everything that is kept for an app, but not its grant or its streams. Succeeds once that is on the disk.
    package func clear(_ key: AppKey) -> EventLoopFuture<Void> {
        drop(key)
        return writer.writing(.removeApp(key))
    }

    /// Forgets everything that is kept for an app, except on the disk.
    private func drop(_ key: AppKey) {
        // A waiting change would write again the data that the store has erased.
        writer.drop(key)
        delivery.drop(key)
        guard let app = apps[key] else { return }
        app.significantChanges.record = nil
        app.visits.record = nil
        app.regions = [:]
        tidy(app)
        endUnobservedVisits()
    }
}
