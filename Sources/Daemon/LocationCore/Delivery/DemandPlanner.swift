internal import LocationModel
internal import Positioning
internal import ReceiverSettings
internal import Surroundings

/// Sets the receivers' plan to the combined demand of everything that is open. Confined to the event loop.
final class DemandPlanner {
    private let peers: Peers
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let beacons: BeaconRanging
    private let reduction: ReductionSchedule
    private let receivers: ReceiverControl
    private let surroundings: Surroundings
    private let places: RememberedPlaces
    private let reports: ReportDemand
    private let gate: Gate
    /// The receiver plan for passing on the time.
    private let timePlan: ReceiverPlan

    init(
        peers: Peers, monitoring: Monitoring, headings: HeadingMonitoring, beacons: BeaconRanging,
        reduction: ReductionSchedule, receivers: ReceiverControl, surroundings: Surroundings,
        places: RememberedPlaces, reports: ReportDemand, gate: Gate, passesTime: Bool
    ) {
        self.peers = peers
        self.monitoring = monitoring
        self.headings = headings
        self.beacons = beacons
        self.reduction = reduction
        self.receivers = receivers
        self.surroundings = surroundings
        self.places = places
        self.reports = reports
        self.gate = gate
        // A clock is measured all the time: the receiver would need a while after each pause to be trusted again.
        timePlan = passesTime ? .continuous : .off
    }

    /// Updates the receivers' plan. To be called when a demand for locations began, ended or changed.
    func update() {
        beacons.followDemand()
        reduction.setNeeded(peers.connected.contains { $0.wantsReduced(through: gate) } || monitoring.wantsReduced)
        let needed = plan(.unknown)
        receivers.revealsRegions = needed != .continuous && monitoring.monitorsRegions
        // A recording is of other surroundings, and of another time.
        if !receivers.measures { surroundings.stop() }
        let plan =
            receivers.measures ? surroundings.plan(needed, isPlaceNeeded: isPlaceNeeded, in: plan) : needed
        receivers.follow(plan, receivers.followsApps ? demand : ReceiverDemand(), reporting: reports.contents)
    }

    /// Has the surroundings compared with a fix. Returns whether the plan may have changed.
    func observe(_ publication: Publication) -> Bool {
        guard surroundings.isWatching else { return false }
        guard receivers.measures else { return true }
        places.observe(publication.location)
        return surroundings.observe(publication.location)
    }

    /// A Boolean value indicating whether an app wants a location that may be a remembered place.
    private var isPlaceNeeded: Bool {
        places.isEnabled
            && peers.connected.contains {
                $0.plan(through: gate, isStill: false) != .off || $0.wantsReduced(through: gate)
            }
    }

    /// Returns the plan that is needed of a device with that movement.
    private func plan(_ motion: Stillness.Motion) -> ReceiverPlan {
        var plan = headings.plan.merged(with: reduction.plan).merged(with: timePlan)
        for app in peers.connected {
            if plan == .continuous { break }
            plan = plan.merged(with: app.plan(through: gate, isStill: motion == .still))
        }
        return plan == .continuous ? plan : plan.merged(with: monitoring.plan(motion))
    }

    /// The demand of the apps on the receivers' settings: the shortest interval, and the activity type that they share.
    private var demand: ReceiverDemand {
        var (intervals, activities): ([Double], Set<ActivityType>) = ([], [])
        for app in peers.connected {
            for subscription in app.subscriptions where subscription.plan != .off {
                if let interval = subscription.rapidInterval { intervals.append(interval) }
                activities.insert(subscription.activityType)
            }
        }
        return ReceiverDemand(
            interval: intervals.min(), activity: activities.count == 1 ? activities.first : nil)
    }
}
