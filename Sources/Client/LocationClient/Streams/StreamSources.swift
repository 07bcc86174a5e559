internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The source of the events of one or all of this app's regions.
struct RegionSource: StreamSource {
    typealias Called = MonitorRegions

    let identifier: String?

    func parameters(after seconds: Double) -> Nothing? { Nothing() }

    func element(of reply: MonitorRegions.Reply) -> MonitoringUpdate<RegionEvent>? {
        guard let event = reply.event, identifier == nil || event.identifier == identifier else { return nil }
        return .event(event)
    }

    func element(of notice: StreamNotice) -> MonitoringUpdate<RegionEvent>? { MonitoringUpdate(notice) }
}

/// The source of arrivals and departures.
struct VisitSource: StreamSource {
    typealias Called = MonitorVisits

    let wake: String?

    func parameters(after seconds: Double) -> WakeParameters? { WakeParameters(wake: wake) }

    func element(of reply: MonitorVisits.Reply) -> MonitoringUpdate<Visit>? { reply.visit.map { .event($0) } }

    func element(of notice: StreamNotice) -> MonitoringUpdate<Visit>? { MonitoringUpdate(notice) }
}

/// The source of the direction the device points in.
struct HeadingSource: StreamSource {
    typealias Called = MonitorHeading

    let filter: Double?

    func parameters(after seconds: Double) -> MonitorHeading.Parameters? { .init(filter: filter) }

    func element(of reply: MonitorHeading.Reply) -> MonitoringUpdate<Heading>? { reply.heading.map { .event($0) } }

    func element(of notice: StreamNotice) -> MonitoringUpdate<Heading>? { MonitoringUpdate(notice) }
}

/// The source of the beacons in range.
struct BeaconSource: StreamSource {
    typealias Called = RangeBeacons

    let constraint: BeaconConstraint

    func parameters(after seconds: Double) -> RangeBeacons.Parameters? { .init(constraint: constraint) }

    func element(of reply: RangingReport) -> MonitoringUpdate<RangingReport>? { .event(reply) }

    func element(of notice: StreamNotice) -> MonitoringUpdate<RangingReport>? { MonitoringUpdate(notice) }
}

extension MonitoringUpdate {
    /// Translates a notice, or returns `nil` for a change of authorization, which these streams report only by ending.
    init?(_ notice: StreamNotice) {
        switch notice {
        case .disconnected: self = .disconnected
        case .reconnected: self = .reconnected
        case .authorizationChanged: return nil
        }
    }
}

/// The source of locations that are far apart.
struct SignificantChangesSource: StreamSource {
    typealias Called = MonitorSignificantChanges

    let wake: String?
    private var last: Location?

    init(wake: String?) {
        self.wake = wake
    }

    func parameters(after seconds: Double) -> WakeParameters? { WakeParameters(wake: wake) }

    /// Returns the update in `reply`. After each reconnection the daemon begins with the last known location, which is
    /// skipped if it was already delivered.
    mutating func element(of reply: Subscribe.Reply) -> LocationUpdate? {
        guard let update = reply.update.flatMap(LocationUpdate.init) else { return nil }
        if case .location(let location) = update {
            guard location != last else { return nil }
            last = location
        }
        return update
    }

    func authorization(in reply: Subscribe.Reply) -> AuthorizationState? { reply.update?.authorization }

    func element(of notice: StreamNotice) -> LocationUpdate? { LocationUpdate(notice) }
}

/// The source of the authorization, after each change.
struct AuthorizationSource: StreamSource {
    typealias Called = GetAuthorization

    /// False, since the first reply comes at once.
    static var greets: Bool { false }

    private var last: AuthorizationState?

    func parameters(after seconds: Double) -> Nothing? { Nothing() }

    mutating func element(of reply: GetAuthorization.Reply) -> AuthorizationState? {
        guard reply.authorization != last else { return nil }
        last = reply.authorization
        return last
    }

    func element(of notice: StreamNotice) -> AuthorizationState? { nil }
}
