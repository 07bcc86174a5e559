internal import AuthorizationPolicy
package import LocationModel
package import NIOCore
internal import Positioning

/// The end of what is kept: with the grant that it was kept under, or because its user says so.
extension Monitoring {
    /// Forgets everything that is kept for an app, because nothing is granted to it any more. The store erases the same
    /// when it writes the decision.
    ///
    /// Attack: an app that was revoked or reset is granted the location again, perhaps years later and by another
    /// person at the machine. Its old regions would be watched again, and the socket that it had named would start it.
    func grantEnded(of key: AppKey) { drop(key) }

    /// Forgets the visits of a user who has no app with the location always any more. The store erases the same when it
    /// writes the decision.
    func alwaysEnded(of uid: UInt32) {
        writer.dropVisits(of: uid)
        visitLog.clear(uid)
    }

    /// Forgets where a user was: the visits and, of what is kept for the user's apps, the events and locations.
    /// Succeeds once that is on the disk.
    package func clearPlaces(of uid: UInt32) -> EventLoopFuture<Void> {
        visitLog.clear(uid)
        post.forgetEvents(of: uid)
        for app in apps.values where app.key.uid == uid { store(lastDelivered: nil, of: app) }
        // A user's changes keep their order, so this is the last one.
        return writer.writing(.clearVisits(uid: uid))
    }

    /// Forgets everything that is kept for an app, while its grant and its streams stay. Succeeds once that is on the
    /// disk.
    package func clear(_ key: AppKey) -> EventLoopFuture<Void> {
        drop(key)
        return writer.writing(.removeApp(key))
    }

    /// Forgets what is kept for an app, but for the disk.
    private func drop(_ key: AppKey) {
        // A change that waits would write again what the store has erased.
        writer.drop(key)
        post.drop(key)
        guard let app = apps[key] else { return }
        app.significantChanges.record = nil
        app.visits.record = nil
        app.regions = [:]
        tidy(app)
        endUnobservedVisits()
    }
}
