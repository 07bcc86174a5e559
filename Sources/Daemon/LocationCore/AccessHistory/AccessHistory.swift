internal import AuthorizationPolicy
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// The access history: counts apps' deliveries, in the log and for the indicator, and hands them out for sending.
///
/// A value that the gate has released can be sent only as ``Counted``. Only the history makes a ``Counted`` value, in
/// the step that counts it.
package final class AccessHistory {
    package let log: AccessLog
    package let indicator: Indicator
    private let clock: () -> Timestamp

    init(log: AccessLog, indicator: Indicator, clock: @escaping () -> Timestamp) {
        self.log = log
        self.indicator = indicator
        self.clock = clock
    }

    /// Counts one delivery, and returns the value to send.
    func count<Value>(_ released: Released<Value>) -> Counted<Value> {
        add(to: released.app, released.accuracy, inBackground: released.inBackground)
        return Counted(released)
    }

    /// Runs `body`, which may deliver to one app any number of times, and counts all of these deliveries at once.
    func deliveries<Outcome>(to app: UncollectedDeliveries, _ body: (inout Deliveries) -> Outcome) -> Outcome {
        var deliveries = Deliveries(to: app.app)
        let outcome = body(&deliveries)
        let (full, reduced) = (deliveries.full, deliveries.reduced)
        if full.inUse > 0 { add(full.inUse, to: app, .full, inBackground: false) }
        if full.inBackground > 0 { add(full.inBackground, to: app, .full, inBackground: true) }
        if reduced.inUse > 0 { add(reduced.inUse, to: app, .reduced, inBackground: false) }
        if reduced.inBackground > 0 { add(reduced.inBackground, to: app, .reduced, inBackground: true) }
        return outcome
    }

    /// Sends a released value with `send`, and counts the delivery if the value has arrived or may have arrived.
    ///
    /// Attack: an app that is started for an event lets the daemon wait until it gives up, and still has the event.
    ///
    /// - Parameter send: Fails with `WakeRefusal`. After any other failure, the value may have arrived.
    func deliver<Value>(
        _ released: Released<Value>, by send: (consuming Counted<Value>) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        let (app, accuracy, inBackground) = (released.app, released.accuracy, released.inBackground)
        return send(Counted(released)).assumeIsolated().always { outcome in
            if case .failure(let error) = outcome, (error as? WakeRefusal)?.mayHaveArrived == false { return }
            self.add(to: app, accuracy, inBackground: inBackground)
        }.nonisolated()
    }

    private func add(
        _ deliveries: Int, to app: UncollectedDeliveries, _ accuracy: AccuracyAuthorization, inBackground: Bool
    ) {
        let now = clock()
        log.count(deliveries, with: app, accuracy: accuracy, inBackground: inBackground, at: now)
        indicator.used(with: app, accuracy: accuracy, inBackground: inBackground, at: now)
    }

    private func add(to app: AppKey, _ accuracy: AccuracyAuthorization, inBackground: Bool) {
        let now = clock()
        log.count(1, to: app, accuracy: accuracy, inBackground: inBackground, at: now)
        indicator.used(app, accuracy: accuracy, inBackground: inBackground, at: now)
    }

    /// Updates the indicator after streams of the app were opened, closed, suspended or resumed.
    func streamsChanged(of app: ConnectedApp, through gate: Gate) {
        let isInUse = app.isActive(as: .inUse, through: gate)
        let isActive = isInUse || app.isActive(as: .background, through: gate)
        indicator.setActive(app.key, isActive, inBackground: !isInUse)
    }
}

/// A value that was counted, or is counted while it is sent. It can be sent once.
package struct Counted<Value>: ~Copyable {
    package let value: Value

    fileprivate init(_ released: Released<Value>) {
        value = released.value(for: DeliveryReceipt())
    }
}

extension Counted<RegionEvent> {
    /// Returns the event for a region whose state is not known. Such an event is not counted.
    static func unknownState(ofRegion identifier: String) -> Counted {
        Counted(uncounted: RegionEvent(identifier: identifier, state: .unknown))
    }

    private init(uncounted event: RegionEvent) {
        value = event
    }
}

/// The proof that the access history counts a delivery. Only the history makes one.
struct DeliveryReceipt: ~Copyable {
    fileprivate init() {}
}

/// The deliveries to one app at one moment: four numbers, so that counting does not allocate.
struct Deliveries: ~Copyable {
    private let app: AppKey
    fileprivate private(set) var full = (inUse: 0, inBackground: 0)
    fileprivate private(set) var reduced = (inUse: 0, inBackground: 0)

    fileprivate init(to app: AppKey) {
        self.app = app
    }

    /// The number of deliveries.
    var total: Int { full.inUse + full.inBackground + reduced.inUse + reduced.inBackground }

    /// Counts one delivery, and returns the value to send.
    mutating func count<Value>(_ released: Released<Value>) -> Counted<Value> {
        precondition(released.app.uid == app.uid && released.app.app == app.app, "a delivery to another app")
        switch (released.accuracy, released.inBackground) {
        case (.full, false): full.inUse += 1
        case (.full, true): full.inBackground += 1
        case (.reduced, false): reduced.inUse += 1
        case (.reduced, true): reduced.inBackground += 1
        }
        return Counted(released)
    }
}
