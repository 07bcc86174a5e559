internal import LocationClient
internal import NIOCore

/// The reports of a manager's services to its delegate, as far as several services report the same. Confined to the
/// event loop.
final class ManagerReports: Sendable {
    private struct State {
        var locations = ReportedLocations()
        var denials = ReportedDenials()
    }

    private let state: NIOLoopBoundBox<State>

    init(on loop: any EventLoop) {
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Handles the start of location updates.
    func updatesStarted() { state.value.locations.updatesStarted() }

    /// Handles a location of the location updates. Returns whether to report it.
    func isNew(update location: Location) -> Bool { state.value.locations.isNew(update: location) }

    /// Handles a significant change. Returns whether to report it.
    func isNew(change location: Location) -> Bool { state.value.locations.isNew(change: location) }

    /// Handles a denial that ends a service. Returns whether to report it.
    func isNew(denial: Int, ofServiceStartedAt start: Int) -> Bool {
        state.value.denials.isNew(denial, ofServiceStartedAt: start)
    }
}

/// The locations that a manager has reported. Its location updates and its significant changes receive the same fixes,
/// on two streams and in either order. The delegate, which cannot tell them apart, gets each fix once.
struct ReportedLocations {
    /// The number of updates that are compared with a significant change, whose stream may be read later.
    private static let limit = 64

    private var updates: [Location] = []
    /// The position of the oldest update, once there are as many as are kept.
    private var oldest = 0
    /// The last significant change, until an update was the same.
    private var change: Location?

    /// Handles the start of location updates. Their first location is reported, even if a significant change was the
    /// same: the app waits for it.
    mutating func updatesStarted() {
        self = ReportedLocations()
    }

    /// Handles a location of the location updates. Returns whether to report it.
    mutating func isNew(update location: Location) -> Bool {
        if updates.count < Self.limit {
            updates.append(location)
        } else {
            updates[oldest] = location
            oldest = (oldest + 1) % Self.limit
        }
        guard let change, Self.areSame(change, location) else { return true }
        self.change = nil
        return false
    }

    /// Handles a significant change. Returns whether to report it.
    mutating func isNew(change location: Location) -> Bool {
        if updates.contains(where: { Self.areSame($0, location) }) { return false }
        change = location
        return true
    }

    /// Returns whether two streams have delivered the same fix. A reduced location has the time of its delivery.
    private static func areSame(_ one: Location, _ other: Location) -> Bool {
        if one == other { return true }
        var moved = one
        moved.timestamp = other.timestamp
        return one.isReduced && moved == other && one.timestamp.quarter == other.timestamp.quarter
    }
}

/// The denials that a manager has reported. A denial that ends several of its services is one failure. A service that
/// is started while the app is denied reports that in any case.
struct ReportedDenials {
    private var last: Int?

    /// Handles a denial that ends a service. Both parameters are numbers of changes of the authorization. Returns
    /// whether to report the denial.
    mutating func isNew(_ denial: Int, ofServiceStartedAt start: Int) -> Bool {
        denial == start || exchange(&last, with: denial) != denial
    }
}

extension Location {
    /// A Boolean value indicating whether the location has no more than a reduced one: a place and its accuracy, of
    /// kilometres.
    fileprivate var isReduced: Bool {
        horizontalAccuracy.map { $0 > 1000 } ?? false && speed == nil && course == nil && altitude == nil
    }
}

extension Timestamp {
    /// The number of the quarter of an hour.
    fileprivate var quarter: Int64 { millisecondsSince1970 / 900_000 }
}
