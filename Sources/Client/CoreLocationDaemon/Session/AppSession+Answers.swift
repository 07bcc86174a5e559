internal import CoreLocation
internal import Dispatch
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The daemon's answers for properties of the public types that wait for them.
extension AppSession {
    /// The timeout of such a property. The daemon answers within a millisecond, unless it is busy.
    private static let answerTimeout = DispatchTimeInterval.seconds(1)

    /// Returns the last location that the app may have, or `nil` if there is none: the location of an open stream, or
    /// else the daemon's, which is requested at each call. Starts no receiver.
    ///
    /// If the daemon does not answer in time, or knows no location, returns the last one of this process. A late answer
    /// counts when it arrives, and no other caller waits for it.
    func lastLocation(for accuracy: DesiredAccuracy) -> CLLocation? {
        if let current = locations.current(for: accuracy) { return current }
        guard mayWait, authorization.current.status.isAuthorized, locations.beginRequest() else {
            return locations.last(for: accuracy)
        }
        let answered = DispatchSemaphore(value: 0)
        client.lastKnownLocationRequest(desiredAccuracy: accuracy).send { [locations] result in
            if let known = try? result.get() { locations.received(CLLocation(known), for: accuracy) }
            locations.endRequest()
            answered.signal()
        }
        _ = answered.wait(timeout: .now() + Self.answerTimeout)
        return locations.last(for: accuracy)
    }

    /// A Boolean value indicating whether there may be a compass: `false` if the daemon does not answer, or knows that
    /// there is none. An app without authorization always gets `true` from a running daemon.
    var isHeadingAvailable: Bool {
        guard mayWait else { return true }
        let authorization = authorization.current
        guard authorization != .daemonUnreachable else { return false }
        guard authorization.status.isAuthorized else { return true }
        let hasCompass = NIOLockedValueBox<Bool?>(false)
        let answered = DispatchSemaphore(value: 0)
        client.compassRequest().send { result in
            if case .success(let answer) = result { hasCompass.withLockedValue { $0 = answer } }
            answered.signal()
        }
        _ = answered.wait(timeout: .now() + Self.answerTimeout)
        return hasCompass.withLockedValue(\.self) ?? true
    }

    /// A Boolean value indicating whether this thread may wait for an answer: not the thread that receives it.
    private var mayWait: Bool { !loop.inEventLoop }
}
