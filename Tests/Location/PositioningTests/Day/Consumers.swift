import LocationModel

@testable import Positioning

struct Nobody: Consumer {
    var plan: ReceiverPlan { .off }
    mutating func observe(_ location: Location, at now: Double) {}
}

/// A subscription with default options.
struct Subscriber: Consumer {
    private(set) var subscription: SubscriptionRules
    private(set) var pauses: [Double] = []
    private(set) var resumes: [Double] = []
    private(set) var delivered = 0

    init(_ desiredAccuracy: DesiredAccuracy) {
        subscription = SubscriptionRules(
            desiredAccuracy: desiredAccuracy, filter: SubscriptionFilter(), pausingOn: .other)
    }

    var plan: ReceiverPlan { subscription.plan }

    mutating func observe(_ location: Location, at now: Double) {
        switch subscription.consider(location) {
        case .suppress: break
        case .deliver, .deliverLast: delivered += 1
        case .pause: pauses.append(now)
        case .resume, .resumeLast: resumes.append(now)
        }
    }
}

/// A subscription alongside another one that needs every fix.
struct Accompanied: Consumer {
    private(set) var subscriber: Subscriber

    init(subscriber: Subscriber) {
        self.subscriber = subscriber
    }

    var plan: ReceiverPlan { subscriber.plan.merged(with: .continuous) }

    mutating func observe(_ location: Location, at now: Double) { subscriber.observe(location, at: now) }
}

struct SignificantChangeWatcher: Consumer {
    private var monitor = SignificantChange()
    private(set) var changes: [Double] = []

    var plan: ReceiverPlan { .significantChanges }

    mutating func observe(_ location: Location, at now: Double) {
        if monitor.admits(location) { changes.append(now) }
    }
}

struct VisitWatcher: Consumer {
    private var detector = VisitDetector()
    private(set) var visits: [Visit] = []

    var plan: ReceiverPlan { .visits }

    mutating func observe(_ location: Location, at now: Double) { visits += detector.observe(location) }
}

struct RegionWatcher: Consumer {
    private(set) var monitors: [RegionMonitor]
    private(set) var crossings: [Crossing] = []
    private var last: Location?

    struct Crossing {
        let identifier: String
        let state: RegionState
        let time: Double
    }

    init(_ regions: [CircularRegion]) {
        monitors = regions.map { RegionMonitor($0) }
    }

    var plan: ReceiverPlan {
        monitors.reduce(.off) { $0.merged(with: .region(seconds: $1.interval(from: last))) }
    }

    mutating func observe(_ location: Location, at now: Double) {
        last = location
        for index in monitors.indices {
            guard case .crossed(let state) = monitors[index].observe(location) else { continue }
            crossings.append(Crossing(identifier: monitors[index].region.identifier, state: state, time: now))
        }
    }
}
