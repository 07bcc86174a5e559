internal import NIOConcurrencyHelpers

/// The way to a manager's delegate: on the manager's thread, in the order of the events, and only while both are there.
final class ManagerDelivery: Sendable {
    /// Whether what is on its way is still wanted.
    final class Validity: Sendable {
        private let isOver = NIOLockedValueBox(false)

        /// What has not been delivered yet never is.
        func end() {
            isOver.withLockedValue { $0 = true }
        }

        var holds: Bool { !isOver.withLockedValue(\.self) }
    }

    /// Set once, before it is read on the manager's thread.
    private struct WeakManager: @unchecked Sendable {
        weak var manager: CLLocationManager?
    }

    private let thread: CallbackThread
    private let manager = NIOLockedValueBox(WeakManager())

    init(_ thread: CallbackThread) {
        self.thread = thread
    }

    func attach(to manager: CLLocationManager) {
        let held = WeakManager(manager: manager)
        self.manager.withLockedValue { $0 = held }
    }

    /// Calls `body` on the manager's thread, while there is a manager.
    func perform(_ body: @escaping @Sendable (CLLocationManager) -> Void) {
        thread.async { [manager] in
            if let manager = manager.withLockedValue(\.self).manager { body(manager) }
        }
    }

    /// Tells the delegate that there is by then, unless `validity` is over.
    func tell(
        _ validity: Validity? = nil,
        _ event: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        perform { manager in
            guard validity?.holds ?? true, let delegate = manager.delegate else { return }
            event(manager, delegate)
        }
    }

    func fail(_ validity: Validity? = nil, _ code: CLError.Code) {
        tell(validity) { $1.locationManager($0, didFailWithError: CLError(code)) }
    }

    /// The manager is gone.
    func end() {
        thread.end()
    }
}
