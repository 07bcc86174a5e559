internal import AuthorizationPolicy
internal import JSON
package import LocationModel
internal import Positioning

/// A location, or a value made from locations, that one app may have now. Only the gate makes one, and only its form
/// counted by the access history (``Counted``) is ever encoded for an app.
///
/// Attack: an app uses a path that forgets to count, and reads the location while the log and the indicator stay
/// empty. So the value comes out in three ways only: as a verdict, which is not a location; in exchange for the
/// history's receipt; and as an event that is kept, which passes the gate and the history when it is sent.
struct Released<Value> {
    private let value: Value
    /// The app that may have the value.
    let app: AppKey
    /// The accuracy of the value.
    let accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether the app gets the value while it is not in use.
    let inBackground: Bool

    fileprivate init(value: Value, app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool) {
        self.value = value
        self.app = app
        self.accuracy = accuracy
        self.inBackground = inBackground
    }

    /// Returns the verdict of `rule` on the value: for deciding, not for sending.
    func verdict<Verdict: DeliveryVerdict>(of rule: (Value) -> Verdict) -> Verdict { rule(value) }

    /// Returns the value for an app, in exchange for the proof that it is counted.
    func value(for receipt: borrowing DeliveryReceipt) -> Value { value }

    /// Returns the value in another form, such as the one to send.
    func map<Form>(_ form: (Value) -> Form) -> Released<Form> {
        Released<Form>(value: form(value), app: app, accuracy: accuracy, inBackground: inBackground)
    }
}

extension Released where Value: MonitoredEvent {
    /// Returns the value as an event that is kept until it can be sent, or `nil` if it cannot be encoded.
    ///
    /// - Parameter subject: A region's identifier, else empty.
    func kept(subject: String) -> PendingEvent? {
        var writer = JSONWriter()
        do { try writer.value(encoding: value) } catch { return nil }
        return PendingEvent(app: app, kind: Value.kind, subject: subject, json: writer.text)
    }
}

/// The verdict of a rule on a value. The value cannot be read from it.
protocol DeliveryVerdict {}

extension Bool: DeliveryVerdict {}
extension SubscriptionRules.Verdict: DeliveryVerdict {}

/// The requirements of a delivery, besides the app's authorization.
package struct Need {
    /// A Boolean value indicating whether the authorization has to be `always`.
    var always = false
    /// The error for an app without full accuracy, or `nil` if reduced accuracy suffices. A value made from
    /// full-accuracy locations reveals where the device is, however little of it is sent.
    var errorForReducedAccuracy: LocationFailure?

    package static let whenInUse = Need()
    static let always = Need(always: true)
    package static let regions = Need(errorForReducedAccuracy: .regionMonitoringDenied)
    static let regionsInBackground = Need(always: true, errorForReducedAccuracy: .regionMonitoringDenied)
    package static let visits = regions
    static let visitsInBackground = regionsInBackground
    package static let heading = Need(errorForReducedAccuracy: .headingUnavailable)
    package static let bytes = Need(errorForReducedAccuracy: .locationUnknown)
    fileprivate static let report = Need(errorForReducedAccuracy: .locationUnknown)
}

/// The one place where a location passes from the receivers to an app.
///
/// Attack: a separate path for some delivery (the last known position, the position inside an event, the crossing of a
/// region, a request that was allowed when it was made) would keep delivering after a revocation. So no such path
/// exists: the type that the encoders accept is made only here, after checking the authorization again each time.
package struct Gate {
    private let broker: AuthorizationBroker

    init(broker: AuthorizationBroker) {
        self.broker = broker
    }

    /// Returns a publication for an app, or `nil` if it is not due to it.
    ///
    /// An app with reduced accuracy gets the reducer's locations, and nothing else that is made from the position. An
    /// app with full accuracy gets the fixes themselves, each with the receiver's report.
    ///
    /// - Parameter wanted: The accuracy that the app requests, which may be less than it was granted.
    func release(
        _ publication: Publication, to app: AppKey, wanted: AccuracyAuthorization = .full,
        needing need: Need = .whenInUse, presence: Presence
    ) throws(LocationFailure) -> Released<Publication>? {
        try release(
            publication, under: entitlement(of: app), wanted: wanted, needing: need, presence: presence,
            terms: .single)
    }

    /// Returns a publication for an app, by an entitlement for all of its subscriptions.
    ///
    /// Attack: the authorization is revoked while a publication is delivered to the app's subscriptions, one after
    /// the other. So an entitlement is looked up again if the table has changed since.
    func release(
        _ publication: Publication, under known: Entitlement, wanted: AccuracyAuthorization,
        needing need: Need = .whenInUse, presence: Presence, terms: DeliveryTerms
    ) throws(LocationFailure) -> Released<Publication>? {
        guard isCurrent(known) else {
            return try release(
                publication, under: self.entitlement(of: known.app), wanted: wanted, needing: need, presence: presence,
                terms: terms)
        }
        try check(known.authorization, for: need)
        guard publication.accuracy == Self.accuracy(known.authorization, wanted: wanted),
            let inBackground = isDue(under: known, presence, terms)
        else { return nil }
        return Released(
            value: publication, app: known.app, accuracy: publication.accuracy,
            inBackground: inBackground)
    }

    /// Returns the app's current entitlement.
    func entitlement(of app: AppKey) -> Entitlement { broker.table.entitlement(of: app) }

    /// Returns whether the entitlement still holds.
    func isCurrent(_ entitlement: Entitlement) -> Bool { broker.table.isCurrent(entitlement) }

    /// Returns a report of a receiver, or a heading, for an app with full accuracy, or `nil` if it is not due to the
    /// app.
    ///
    /// Attack: an app whose accuracy was reduced keeps reading satellites or sentences, which reveal the place. So each
    /// of them passes here, as locations do. Unlike a refused location, a refused report does not end the subscription.
    ///
    /// - Parameter wanted: The accuracy that the app requests, which may be less than it was granted.
    func release<Detail: ReceiverDetail>(
        report detail: Detail, under known: Entitlement, wanted: AccuracyAuthorization, presence: Presence,
        terms: DeliveryTerms
    ) -> Released<Detail>? {
        let entitlement = isCurrent(known) ? known : self.entitlement(of: known.app)
        guard (try? check(entitlement.authorization, for: .report)) != nil, wanted == .full,
            let inBackground = isDue(under: entitlement, presence, terms)
        else { return nil }
        return Released(value: detail, app: entitlement.app, accuracy: .full, inBackground: inBackground)
    }

    /// Returns a value made from full-accuracy locations for an app that may have such locations, or `nil` if it is not
    /// due now.
    func release<Value>(
        _ value: Value, madeFor app: AppKey, needing need: Need, presence: Presence
    ) throws(LocationFailure) -> Released<Value>? {
        precondition(need.errorForReducedAccuracy != nil)
        try check(app, for: need)
        guard let inBackground = isDue(to: app, presence, .single) else { return nil }
        return Released(value: value, app: app, accuracy: .full, inBackground: inBackground)
    }

    /// Returns an event that was kept for an app, or `nil` if it is not due to the app now.
    ///
    /// Attack: the power is cut, or the daemon killed, when the reduction of the app's accuracy is on the disk, but the
    /// events kept from full-accuracy locations have not been removed yet. So a location for an app with reduced
    /// accuracy has to come from the reducer.
    func release<Event: MonitoredEvent>(
        kept event: PendingEvent, as type: Event.Type, needing need: Need, presence: Presence
    ) throws(LocationFailure) -> Released<Event>? {
        let authorization = try check(event.app, for: need)
        guard let value = try? JSONValue(parsing: Array(event.json.utf8).span).decoded(as: Event.self),
            let inBackground = isDue(to: event.app, presence, .single)
        else { return nil }
        if authorization.accuracy == .reduced, let location = value as? Location,
            !AccuracyReducer.isReduced(location)
        {
            return nil
        }
        return Released(value: value, app: event.app, accuracy: authorization.accuracy, inBackground: inBackground)
    }

    /// Returns whether an app of that presence gets events now. Does not prompt the user.
    func isDelivering(to app: AppKey, presence: Presence) -> Bool {
        if case .deliver = broker.table.delivery(to: app, presence: presence, terms: .single) { return true }
        return false
    }

    /// Returns whether events may be recorded for the app: it is authorized for `need` and, if that is `always`, the
    /// user has confirmed it.
    ///
    /// Attack: the user answered a request for `always` with "while in use". Until the next prompt, the app has its
    /// visits and region crossings in the background recorded, and collects them when it is in use.
    func mayRecord(for app: AppKey, needing need: Need) -> Bool {
        (try? check(app, for: need)) != nil && !(need.always && broker.table.isProvisional(app))
    }

    /// Returns whether nothing is due to an app of that presence on a stream with those terms. Prompts the user again
    /// if that is the reason.
    func isSuspended(_ app: AppKey, presence: Presence, terms: DeliveryTerms) -> Bool {
        isDue(to: app, presence, terms) == nil
    }

    /// Returns the accuracy that the app gets if it requests `wanted`.
    func accuracy(of app: AppKey, wanted: AccuracyAuthorization) -> AccuracyAuthorization {
        Self.accuracy(broker.table.authorization(of: app), wanted: wanted)
    }

    private static func accuracy(_ authorization: Authorization, wanted: AccuracyAuthorization)
        -> AccuracyAuthorization
    {
        authorization.accuracy == .full ? wanted : .reduced
    }

    /// Returns whether a delivery would be in the background, or `nil` if nothing is due.
    private func isDue(to app: AppKey, _ presence: Presence, _ terms: DeliveryTerms) -> Bool? {
        isDue(under: entitlement(of: app), presence, terms)
    }

    private func isDue(under entitlement: Entitlement, _ presence: Presence, _ terms: DeliveryTerms) -> Bool? {
        switch entitlement.delivery(presence: presence, terms: terms) {
        case .deliver(let inBackground): return inBackground
        case .promptAgain:
            broker.promptAgain(about: entitlement.app)
            return nil
        case .suspend, .refuse: return nil
        }
    }

    /// Returns the app's authorization, or throws the error for an app that does not meet `need`.
    @discardableResult
    package func check(_ app: AppKey, for need: Need = .whenInUse) throws(LocationFailure) -> Authorization {
        let authorization = broker.table.authorization(of: app)
        try check(authorization, for: need)
        return authorization
    }

    private func check(_ authorization: Authorization, for need: Need) throws(LocationFailure) {
        guard authorization.servicesEnabled else { throw .servicesDisabled }
        guard authorization.status.isAuthorized, !need.always || authorization.status == .authorizedAlways else {
            throw .notAuthorized(status: authorization.status)
        }
        if let refusal = need.errorForReducedAccuracy, authorization.accuracy != .full { throw refusal }
    }
}
