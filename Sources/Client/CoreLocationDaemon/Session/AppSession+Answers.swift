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
        guard case .success(let hasCompass) = answer(to: client.compassRequest()) else { return false }
        return hasCompass ?? true
    }

    /// A Boolean value indicating whether the machine can find beacons: `false` if the daemon does not answer.
    var isRangingAvailable: Bool {
        guard mayWait else { return true }
        return (try? answer(to: client.rangingRequest())?.get()) ?? false
    }

    /// Returns the daemon's answer, or `nil` if it does not come in time.
    private func answer<Value: Sendable>(to call: UnsentCall<Value>) -> Result<Value, LocationError>? {
        let result = NIOLockedValueBox<Result<Value, LocationError>?>(nil)
        let answered = DispatchSemaphore(value: 0)
        call.send { answer in
            result.withLockedValue { $0 = answer }
            answered.signal()
        }
        _ = answered.wait(timeout: .now() + Self.answerTimeout)
        return result.withLockedValue(\.self)
    }

    /// A Boolean value indicating whether this thread may wait for an answer: not the thread that receives it.
    private var mayWait: Bool { !loop.inEventLoop }
}
