internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import NIOConcurrencyHelpers

/// The last locations received by this process, for the property `location` of every manager.
///
/// They are forgotten when the authorization ends or becomes reduced. May be used from any thread.
final class LastLocations: Sendable {
    /// The maximum lead of the last location, in seconds, over a later delivery that is dropped: two streams deliver
    /// the same fixes one after the other. With a greater lead, the receiver's clock was set back.
    private static let maximumLead = 10.0

    private struct State {
        /// The last location for each accuracy that managers request.
        var locations: [AccuracyAuthorization: CLLocation] = [:]
        /// The last known authorization, or `nil` if there is none yet. Then every location is kept: it comes from the
        /// socket that started the app.
        var authorization: AuthorizationState?
        /// A Boolean value indicating whether a request for the daemon's last known location is open.
        var isRequested = false
    }

    private let state = NIOLockedValueBox(State())

    /// Returns the last location for a manager with this desired accuracy, or `nil` if there is none. A manager that
    /// wants reduced accuracy does not get other managers' locations with full accuracy.
    func last(for accuracy: DesiredAccuracy) -> CLLocation? {
        state.withLockedValue { $0.locations[Self.requested(accuracy)] }
    }

    /// Handles a location received with this desired accuracy.
    ///
    /// - Parameter isCurrent: `false` for a location that may have been sent long after its fix.
    func received(_ location: CLLocation, for accuracy: DesiredAccuracy, isCurrent: Bool = true) {
        state.withLockedValue {
            // Dropped if it was sent before the authorization ended.
            guard $0.authorization?.status.isAuthorized ?? true else { return }
            let last = $0.locations[Self.requested(accuracy)]
            let lead = last.map { $0.timestamp.timeIntervalSince(location.timestamp) } ?? 0
            guard lead <= 0 || (isCurrent && lead > Self.maximumLead) else { return }
            $0.locations[Self.requested(accuracy)] = location
        }
    }

    /// Handles the current authorization.
    func authorizationChanged(to authorization: AuthorizationState) {
        // Without a daemon, nothing is known about the authorization.
        guard authorization != .daemonUnreachable else { return }
        state.withLockedValue {
            let isReducedNow = $0.authorization?.accuracy == .full && authorization.accuracy == .reduced
            $0.authorization = authorization
            if !authorization.status.isAuthorized || isReducedNow { $0.locations = [:] }
        }
    }

    /// Returns whether to request the daemon's last known location: not while an earlier request is unanswered.
    func beginRequest() -> Bool {
        state.withLockedValue { !exchange(&$0.isRequested, with: true) }
    }

    /// Handles the daemon's answer.
    func endRequest() {
        state.withLockedValue { $0.isRequested = false }
    }

    private static func requested(_ accuracy: DesiredAccuracy) -> AccuracyAuthorization {
        accuracy == .reduced ? .reduced : .full
    }
}
