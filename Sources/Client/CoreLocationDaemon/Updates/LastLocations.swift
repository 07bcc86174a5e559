internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import NIOConcurrencyHelpers

/// The last locations received by this process, for the property `location` of every manager.
///
/// They are forgotten when the authorization ends or becomes reduced. A location is current while a stream delivers;
/// afterwards, the daemon may know a newer one. May be used from any thread.
final class LastLocations: Sendable {
    /// The maximum lead of the last location, in seconds, over a later delivery that is dropped: two streams deliver
    /// the same fixes one after the other. With a greater lead, the receiver's clock was set back.
    private static let maximumLead = 10.0

    private struct State {
        /// The last location for each accuracy that managers request.
        var locations: [AccuracyAuthorization: CLLocation] = [:]
        /// The open streams that have delivered a location, with the accuracy that each requests.
        var feeds: [ObjectIdentifier: AccuracyAuthorization] = [:]
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

    /// Returns the last location for a manager with this desired accuracy, or `nil` if no open stream has delivered it:
    /// the daemon may then know a newer one.
    func current(for accuracy: DesiredAccuracy) -> CLLocation? {
        let requested = Self.requested(accuracy)
        return state.withLockedValue { $0.feeds.values.contains(requested) ? $0.locations[requested] : nil }
    }

    /// Handles a location received with this desired accuracy.
    ///
    /// - Parameters:
    ///   - isCurrent: `false` for a location that may have been sent long after its fix.
    ///   - feed: The stream that delivered the location, and continues; or `nil` for the answer to a request, and for
    ///     events, which are rare.
    func received(
        _ location: CLLocation, for accuracy: DesiredAccuracy, isCurrent: Bool = true, from feed: LocationFeed? = nil
    ) {
        state.withLockedValue {
            if let feed { $0.feeds[ObjectIdentifier(feed)] = Self.requested(accuracy) }
            // Dropped if it was sent before the authorization ended.
            guard $0.authorization?.status.isAuthorized ?? true else { return }
            let last = $0.locations[Self.requested(accuracy)]
            let lead = last.map { $0.timestamp.timeIntervalSince(location.timestamp) } ?? 0
            guard lead <= 0 || (isCurrent && lead > Self.maximumLead) else { return }
            $0.locations[Self.requested(accuracy)] = location
        }
    }

    /// Handles the end of a stream.
    func ended(_ feed: LocationFeed) {
        state.withLockedValue { $0.feeds[ObjectIdentifier(feed)] = nil }
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

    /// Handles an authorization reported by a stream: earlier or later than on the connection for the authorization.
    ///
    /// With reduced accuracy, the location that follows on the stream may be the only one for a quarter of an hour. It
    /// must not be forgotten when the other connection reports the same change.
    func streamReported(_ authorization: AuthorizationState) {
        state.withLockedValue {
            if $0.authorization?.accuracy == .full, authorization.accuracy == .reduced { $0.locations = [:] }
            $0.authorization?.accuracy = authorization.accuracy
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

/// A stream of locations that keeps the last location current, from its first location until it is closed.
final class LocationFeed: Sendable {
    /// The desired accuracy of the stream.
    let accuracy: DesiredAccuracy
    private let locations: LastLocations

    init(_ locations: LastLocations, for accuracy: DesiredAccuracy) {
        self.locations = locations
        self.accuracy = accuracy
    }

    /// Opens the stream by `open`. Returns the handle that closes it.
    func opening(_ open: () -> CancellationHandle) -> CancellationHandle {
        let stream = open()
        return CancellationHandle { [self] in
            stream.cancel()
            locations.ended(self)
        }
    }

    /// Handles a location of the stream.
    func received(_ location: CLLocation) {
        locations.received(location, for: accuracy, from: self)
    }
}
