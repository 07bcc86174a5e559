internal import AuthorizationPolicy
internal import JSON
package import LocationModel
internal import Positioning

/// A location, or what was made of locations, as one app may have it now. Only the gate makes one, and only what the access
/// history has counted of it (``Counted``) is ever encoded for an app.
///
/// Attack: an app asks on a path that forgets to count, and reads the location while log and indicator stay empty. So the
/// value comes out in three ways only: as a verdict, which is no location; against the history's receipt; and as an event
/// that is kept, which passes the gate and the history when it is sent.
struct Released<Value> {
    private let value: Value
    /// The app that may have it.
    let app: AppKey
    /// How exact it is.
    let accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether the app gets it while it is not in use.
    let inBackground: Bool

    fileprivate init(value: Value, app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool) {
        self.value = value
        self.app = app
        self.accuracy = accuracy
        self.inBackground = inBackground
    }

    /// Returns what `rule` decides about the value: for deciding, not for sending.
    func verdict<Verdict: DeliveryVerdict>(of rule: (Value) -> Verdict) -> Verdict { rule(value) }

    /// Returns the value for an app, against the proof that it was counted.
    func value(for receipt: borrowing DeliveryReceipt) -> Value { value }

    /// Returns the same in another form, such as that in which it is sent.
    func map<Form>(_ form: (Value) -> Form) -> Released<Form> {
        Released<Form>(value: form(value), app: app, accuracy: accuracy, inBackground: inBackground)
    }
}

extension Released where Value: MonitoredEvent {
    /// Returns the value as an event that is kept until it can be sent; `nil` if it cannot be encoded.
    ///
    /// - Parameter subject: A region's identifier, else empty.
    func kept(subject: String) -> PendingEvent? {
        var writer = JSONWriter()
        do { try writer.value(encoding: value) } catch { return nil }
        return PendingEvent(app: app, kind: Value.kind, subject: subject, json: writer.text)
    }
}

/// What a rule says about a value; nothing that the value could be read from.
protocol DeliveryVerdict {}

extension Bool: DeliveryVerdict {}
extension SubscriptionRules.Verdict: DeliveryVerdict {}

/// What a delivery needs besides the app's being authorized.
package struct Need {
    /// The background too.
    var always = false
    /// Full accuracy, and what an app is told that lacks it; `nil` where a reduced one serves too. What is made of exact
    /// locations tells where the device is, however little of it is told.
    var refusalOfReduced: LocationFailure?

    package static let whenInUse = Need()
    package static let always = Need(always: true)
    package static let regions = Need(refusalOfReduced: .regionMonitoringDenied)
    static let regionsInBackground = Need(always: true, refusalOfReduced: .regionMonitoringDenied)
    package static let visits = regionsInBackground
    package static let heading = Need(refusalOfReduced: .headingUnavailable)
}

/// The one place where a location goes from the receivers to an app.
///
/// Attack: a path of its own for some delivery (the last known position, the position inside an event, a region's crossing, a
/// request that was allowed when it was made) would keep giving after a revocation. So there is none: the type that the
/// encoders take can be made here only, and each making asks whether the authorization still holds.
package struct Gate {
    private let broker: AuthorizationBroker

    init(broker: AuthorizationBroker) {
        self.broker = broker
    }

    /// What the app may have of what is published now; `nil` where nothing of it is due.
    ///
    /// An app that may have the location roughly gets what the reducer made, and nothing made of it by another way; one that
    /// may have it exactly gets the exact ones.
    ///
    /// - Parameter wanted: the accuracy that the app itself asks for; it may ask for less than it was granted.
    func release(
        _ publication: Publication, to app: AppKey, wanted: AccuracyAuthorization = .full,
        needing need: Need = .whenInUse, presence: Presence, terms: DeliveryTerms = .single
    ) throws(LocationFailure) -> Released<Location>? {
        try release(publication, under: entitlement(of: app), wanted, need, presence, terms)
    }

    /// The same for an app whose entitlement was looked up: for all that the app gets of one publication.
    ///
    /// Attack: the authorization is revoked while a publication is delivered to the app's streams one after the other. So an
    /// entitlement that the table has changed after is looked up again.
    func release(
        _ publication: Publication, under entitlement: Entitlement, wanted: AccuracyAuthorization,
        presence: Presence, terms: DeliveryTerms
    ) throws(LocationFailure) -> Released<Location>? {
        try release(publication, under: current(entitlement), wanted, .whenInUse, presence, terms)
    }

    private func release(
        _ publication: Publication, under entitlement: Entitlement, _ wanted: AccuracyAuthorization, _ need: Need,
        _ presence: Presence, _ terms: DeliveryTerms
    ) throws(LocationFailure) -> Released<Location>? {
        try check(entitlement.authorization, for: need)
        guard publication.accuracy == Self.accuracy(entitlement.authorization, wanted: wanted),
            let inBackground = isDue(under: entitlement, presence, terms)
        else { return nil }
        return Released(
            value: publication.location, app: entitlement.app, accuracy: publication.accuracy,
            inBackground: inBackground)
    }

    /// Returns what an app may have now.
    func entitlement(of app: AppKey) -> Entitlement { broker.table.entitlement(of: app) }

    /// Returns the entitlement if it still holds, else what the app may have now.
    func current(_ entitlement: Entitlement) -> Entitlement {
        broker.table.isCurrent(entitlement) ? entitlement : self.entitlement(of: entitlement.app)
    }

    /// What was made of exact locations, for an app that may have those; `nil` where nothing is due to it now.
    func release<Value>(
        _ value: Value, madeFor app: AppKey, needing need: Need, presence: Presence
    ) throws(LocationFailure) -> Released<Value>? {
        precondition(need.refusalOfReduced != nil)
        try check(app, for: need)
        guard let inBackground = isDue(to: app, presence, .single) else { return nil }
        return Released(value: value, app: app, accuracy: .full, inBackground: inBackground)
    }

    /// An event that was kept, for the app that it was kept for; `nil` where nothing is due to it now.
    ///
    /// Attack: the power is cut, or the daemon killed, after the app's accuracy was reduced on the disk and before what was
    /// kept of exact locations was forgotten there. So what such an app gets is looked at.
    func release<Event: MonitoredEvent>(
        kept event: PendingEvent, as type: Event.Type, needing need: Need, presence: Presence
    ) throws(LocationFailure) -> Released<Event>? {
        let authorization = try check(event.app, for: need)
        guard let value = try? JSONValue(parsing: Array(event.json.utf8).span).decoded(as: Event.self),
            let inBackground = isDue(to: event.app, presence, .single)
        else { return nil }
        if authorization.accuracy == .reduced, let location = value as? Location,
            location.horizontalAccuracy != AccuracyReducer.horizontalAccuracy
        {
            return nil
        }
        return Released(value: value, app: event.app, accuracy: authorization.accuracy, inBackground: inBackground)
    }

    /// Returns whether an app of that presence gets events now. Nobody is asked.
    func isDelivering(to app: AppKey, presence: Presence) -> Bool {
        if case .deliver = broker.table.delivery(to: app, presence: presence, terms: .single) { return true }
        return false
    }

    /// Returns whether anything is due on a stream of those terms to an app of that presence; where it is not before
    /// the user was asked again, that is done.
    func isSuspended(_ app: AppKey, presence: Presence, terms: DeliveryTerms) -> Bool {
        isDue(to: app, presence, terms) == nil
    }

    /// The accuracy that the app gets, having asked for `wanted`.
    func accuracy(of app: AppKey, wanted: AccuracyAuthorization) -> AccuracyAuthorization {
        Self.accuracy(broker.table.authorization(of: app), wanted: wanted)
    }

    private static func accuracy(_ authorization: Authorization, wanted: AccuracyAuthorization)
        -> AccuracyAuthorization
    {
        authorization.accuracy == .full ? wanted : .reduced
    }

    /// Returns whether something is due, and if so whether in the background.
    private func isDue(to app: AppKey, _ presence: Presence, _ terms: DeliveryTerms) -> Bool? {
        isDue(under: entitlement(of: app), presence, terms)
    }

    private func isDue(under entitlement: Entitlement, _ presence: Presence, _ terms: DeliveryTerms) -> Bool? {
        switch entitlement.delivery(presence: presence, terms: terms) {
        case .deliver(let inBackground): return inBackground
        case .askAgain:
            broker.askAgain(about: entitlement.app)
            return nil
        case .suspend, .refuse: return nil
        }
    }

    /// The app's authorization, or the error that it gets when it may not have what it asks for.
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
        if let refusal = need.refusalOfReduced, authorization.accuracy != .full { throw refusal }
    }
}
