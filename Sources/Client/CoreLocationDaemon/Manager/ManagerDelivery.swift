internal import CoreLocation
internal import NIOConcurrencyHelpers

/// The delivery of events to a manager's delegate: on the manager's thread, in order, and only while both exist.
final class ManagerDelivery: Sendable {
    /// A flag that states whether queued events are still wanted.
    final class Validity: Sendable {
        private let isOver = NIOLockedValueBox(false)

        /// Prevents the delivery of everything not delivered yet.
        func end() {
            isOver.withLockedValue { $0 = true }
        }

        var isValid: Bool { !isOver.withLockedValue(\.self) }
    }

    /// Immutable after it is set, which happens before it is read on the manager's thread.
    private struct WeakManager: @unchecked Sendable {
        weak var manager: CLLocationManager?
    }

    /// The deliveries held back for one turn.
    private struct Turn {
        /// The number of deliveries waiting for their turn.
        var waiting = 0
        var isAwaited = false
    }

    private let thread: CallbackContext
    private let manager = NIOLockedValueBox(WeakManager())
    private let turn = NIOLockedValueBox(Turn())

    init(_ thread: CallbackContext) {
        self.thread = thread
    }

    func attach(to manager: CLLocationManager) {
        let held = WeakManager(manager: manager)
        self.manager.withLockedValue { $0 = held }
    }

    /// Calls `body` on the manager's thread if the manager still exists then.
    func perform(_ body: @escaping @Sendable (CLLocationManager) -> Void) {
        thread.async { [manager] in
            if let manager = manager.withLockedValue(\.self).manager { body(manager) }
        }
    }

    /// Delays deliveries by one turn of the manager's thread until that turn has come: work queued by the app together
    /// with its new delegate comes first.
    func awaitTurn() {
        turn.withLockedValue { $0.isAwaited = true }
    }

    /// Calls `event` on the manager's thread if there is a delegate by then, unless `validity` has ended.
    func callDelegate(
        _ validity: Validity? = nil,
        _ event: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        let call: @Sendable (CLLocationManager) -> Void = { manager in
            guard validity?.isValid ?? true, let delegate = manager.delegate else { return }
            event(manager, delegate)
        }
        let waits = turn.withLockedValue {
            if $0.isAwaited { $0.waiting += 1 }
            return $0.isAwaited
        }
        guard waits else { return perform(call) }
        thread.async { [self] in
            perform(call)
            // Not before all waiting deliveries are queued, to preserve their order.
            turn.withLockedValue {
                $0.waiting -= 1
                if $0.waiting == 0 { $0.isAwaited = false }
            }
        }
    }

    func fail(_ validity: Validity? = nil, _ code: CLError.Code) {
        callDelegate(validity) { $1.locationManager($0, didFailWithError: CLError(code)) }
    }

    /// Ends the delivery when the manager is released.
    func end() {
        thread.end()
    }
}

/// The locations for a delegate whose thread is busy. They are reported in one call.
final class LocationBatch: Sendable {
    /// The maximum number of locations. Beyond it, the oldest are dropped.
    private static let limit = 64

    private let locations = NIOLockedValueBox<[CLLocation]?>([])

    /// Adds `location` unless the batch has been delivered. Returns whether it was added.
    func add(_ location: CLLocation) -> Bool {
        locations.withLockedValue {
            guard let waiting = $0 else { return false }
            $0 = waiting.suffix(Self.limit - 1) + [location]
            return true
        }
    }

    /// Returns the locations, oldest first, and closes the batch.
    func close() -> [CLLocation] {
        locations.withLockedValue { exchange(&$0, with: nil) } ?? []
    }
}
