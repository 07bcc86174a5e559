internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// A call of GetLocation that waits for a location.
final class OneShot {
    let call: Call<GetLocation>
    /// Whether the app is in use, as far as this call is concerned.
    var presence: Presence
    private var request: OneShotRequest
    /// The best one so far, with how exact it is: an app whose grant was reduced meanwhile does not get it.
    private var best: Publication?

    init(call: Call<GetLocation>, desiredAccuracy: DesiredAccuracy, presence: Presence) {
        self.call = call
        self.presence = presence
        request = OneShotRequest(desiredAccuracy: desiredAccuracy)
    }

    /// The accuracy that the app itself asks for.
    var wanted: AccuracyAuthorization { request.desiredAccuracy == .reduced ? .reduced : .full }

    /// Returns whether the call is answered with what the reducer makes.
    func isReduced(of app: AppKey, through gate: Gate) -> Bool {
        gate.accuracy(of: app, wanted: wanted) == .reduced
    }

    /// Answers the call if the location is good enough.
    func consider(
        _ publication: Publication, of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries
    ) {
        guard gate.accuracy(of: app, wanted: wanted) == publication.accuracy else { return }
        let isGood = request.isSatisfied(by: publication.location) || publication.accuracy == .reduced
        if isGood { return answer(with: publication, of: app, through: gate, counting: &deliveries) }
        if request.best == publication.location { best = publication }
    }

    /// The time is over: answers with the best so far.
    func timeOut(of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries) {
        guard let best else { return call.fail(.locationUnknown) }
        answer(with: best, of: app, through: gate, counting: &deliveries)
    }

    /// Answers the call with what the app may have of `publication`.
    func answer(
        with publication: Publication, of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries
    ) {
        do throws(VarlinkError) {
            guard let released = try gate.release(publication, to: app, wanted: wanted, presence: presence) else {
                throw .location(.locationUnknown)
            }
            let counted = deliveries.count(released)
            call.reply(GetLocation.Reply(location: counted.value))
        } catch {
            call.fail(error)
        }
    }
}
