import NIOConcurrencyHelpers

/// One connection to a Bluetooth device through BlueZ, on a ``BluetoothThread``. The loop receives bytes, never a
/// descriptor.
final class BluetoothSession: Sendable {
    /// The functions that are called on the thread. None is called after `ended`.
    struct Handlers: Sendable {
        /// The device is connected.
        var opened: @Sendable () -> Void
        /// Bytes have arrived. Returns when they were handled, so a device that sends faster waits.
        var received: @Sendable ([UInt8]) -> Void
        /// BlueZ knows the charge of the device's battery, in percent.
        var charged: @Sendable (Int) -> Void
        /// The device cannot be read, or no longer. Called at most once.
        var failed: @Sendable (ReceiverFailure) -> Void
        /// The session has ended.
        var ended: @Sendable () -> Void
    }

    let address: String
    let check: BluetoothDescriptor.Check
    let handlers: Handlers
    private let stopped = NIOLockedValueBox(false)

    /// Creates a session that has not begun.
    ///
    /// - Parameters:
    ///   - address: The device's address.
    ///   - check: Returns whether a descriptor is to be read.
    init(address: String, check: @escaping BluetoothDescriptor.Check, handlers: Handlers) {
        self.address = address
        self.check = check
        self.handlers = handlers
    }

    /// A Boolean value indicating whether the device is no longer needed.
    var isStopped: Bool { stopped.withLockedValue { $0 } }

    func stop() { stopped.withLockedValue { $0 = true } }
}
