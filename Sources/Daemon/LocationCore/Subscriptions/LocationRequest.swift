internal import AuthorizationPolicy
internal import LocationModel
internal import Positioning

/// A request for one location that has not been answered yet.
final class LocationRequest {
    let subscriber: any LocationSubscriber
    /// The presence of the app, as far as this request is concerned.
    var presence: Presence
    private var rules: OneShotRules
    /// The best publication so far. It carries its accuracy: an app whose grant was reduced since does not get it.
    private var best: Publication?

    init(_ subscriber: any LocationSubscriber, desiredAccuracy: DesiredAccuracy, presence: Presence) {
        self.subscriber = subscriber
        self.presence = presence
        rules = OneShotRules(desiredAccuracy: desiredAccuracy)
    }

    /// The accuracy that the app requests.
    var wanted: AccuracyAuthorization { rules.desiredAccuracy == .reduced ? .reduced : .full }

    /// Returns whether the request is answered with a location of the reducer.
    func isReduced(of app: AppKey, through gate: Gate) -> Bool {
        gate.accuracy(of: app, wanted: wanted) == .reduced
    }

    /// Answers the request if the location is good enough.
    func consider(
        _ publication: Publication, of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries
    ) {
        guard gate.accuracy(of: app, wanted: wanted) == publication.accuracy else { return }
        let isProvisional = publication.position.isProvisional
        let isGood =
            rules.isSatisfied(by: publication.location, isProvisional: isProvisional)
            || publication.accuracy == .reduced
        if isGood { return answer(with: publication, of: app, through: gate, counting: &deliveries) }
        if rules.best == publication.location { best = publication }
    }

    /// Answers with the best location so far, because the timeout has passed.
    func timeOut(of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries) {
        guard let best else { return subscriber.end(.locationUnknown) }
        answer(with: best, of: app, through: gate, counting: &deliveries)
    }

    /// Answers with the app's form of the location of `publication`.
    func answer(
        with publication: Publication, of app: AppKey, through gate: Gate, counting deliveries: inout Deliveries
    ) {
        do throws(LocationFailure) {
            guard let released = try gate.release(publication, to: app, wanted: wanted, presence: presence) else {
                throw .locationUnknown
            }
            subscriber.receive(deliveries.count(released), isLast: true)
        } catch {
            subscriber.end(error)
        }
    }
}
