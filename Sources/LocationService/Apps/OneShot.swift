internal import Authorization
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// A call of GetLocation that waits for a location.
final class OneShot {
    let call: Call
    private var request: OneShotRequest

    init(call: Call, desiredAccuracy: DesiredAccuracy) {
        self.call = call
        request = OneShotRequest(desiredAccuracy: desiredAccuracy)
    }

    /// Answers the call if the location is good enough.
    func consider(_ location: Location, of app: AppKey, through gate: Gate) {
        if request.isSatisfied(by: location) { answer(with: location, of: app, through: gate) }
    }

    /// The time is over: answers with the best so far.
    func timeOut(of app: AppKey, through gate: Gate) {
        guard let best = request.best else { return call.fail(.locationUnknown) }
        answer(with: best, of: app, through: gate)
    }

    /// Answers the call with what the app may have of `location`.
    func answer(with location: Location, of app: AppKey, through gate: Gate) {
        do throws(VarlinkError) {
            let wanted: AccuracyAuthorization = request.desiredAccuracy == .reduced ? .reduced : .full
            guard let released = try gate.release(location, to: app, wanted: wanted) else {
                throw .locationUnknown
            }
            call.reply(GetLocation.Reply(location: released.value))
        } catch {
            call.fail(error)
        }
    }
}
