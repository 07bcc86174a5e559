import Bus

/// The steps from the bus to the bytes of a device and back, without their I/O.
///
/// For a device with the serial port profile, the profile is registered, the device is connected by it, and BlueZ
/// passes the connection as a descriptor. A device with Nordic's UART service is connected unless it is already; once
/// its services are known, the notifications of one characteristic are acquired.
struct BluetoothStateMachine {
    /// A call of the bus or of BlueZ.
    enum Call: Equatable {
        case getOwner, getObjects, register
        case connectProfile(device: String)
        case connect(device: String)
        case acquire(characteristic: String)
        case disconnect(device: String)
    }

    enum Event {
        case start
        /// The reply to `getOwner`: the unique name of BlueZ's connection, or `nil` if it does not run.
        case owner(String?)
        /// The reply to `getObjects`, or `nil` if it cannot be read.
        case objects([BluetoothObject]?)
        /// A call has succeeded.
        case done(Call)
        /// A call has failed.
        case failed(Call, BusFailure)
        /// BlueZ offers a connection by the registered profile.
        case offered(device: String, isAcceptable: Bool)
        /// The reply to `acquire` has a descriptor.
        case acquired(isAcceptable: Bool)
        /// Properties of an object have changed.
        case changed(path: String, interface: String, [(name: String, value: BusValue)])
        /// BlueZ requests that the connection be closed, or has dropped the profile.
        case revoked(device: String?)
        /// The device sends nothing more.
        case streamEnded
        /// BlueZ has left the bus, or another instance has come.
        case serviceLost
        case busLost
        /// The time of the last `wait` is over.
        case timeout
        /// The device is no longer needed.
        case stop
    }

    enum Action: Equatable {
        case call(Call)
        /// Receive the changes of an object's properties.
        case watch(path: String)
        /// Report `timeout` after this time, replacing an earlier wait.
        case wait(seconds: Double)
        /// Accept the offered connection.
        case accept
        /// Refuse the offered connection.
        case refuse
        /// Read the accepted or acquired connection.
        case read
        /// Close the connection.
        case close
        /// The charge of the device's battery has changed or become known, in percent.
        case charge(Int)
        case report(ReceiverFailure)
        case end
    }

    /// The timeout for connecting a device, in seconds. BlueZ searches for up to 40 s for a device that is out of
    /// range.
    static let connectTime = 60.0
    /// The timeout for disconnecting a device, in seconds.
    static let disconnectTime = 5.0

    private enum State {
        case idle, findingService, listing, registering, connectingProfile
        case connecting, resolving, locating, acquiring
        case reading, ending, ended
    }

    private let address: String
    private var state = State.idle
    private var device: BluetoothObject
    private var adapter: BluetoothObject
    /// A Boolean value indicating whether the device is to be disconnected at the end, because this state machine
    /// connected it. A device connected by others stays connected.
    private var isConnectedForThis = false

    init(address: String) {
        self.address = address
        device = BluetoothObject(path: "")
        adapter = device
    }

    /// Handles an event. Returns the actions to perform, in order. None follow `end`.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ended, _): return []
        case (.idle, .start):
            state = .findingService
            return [.wait(seconds: Self.connectTime), .call(.getOwner)]
        case (_, .offered(let path, let isAcceptable)): return offered(path, isAcceptable)
        case (.ending, .done(.disconnect)), (.ending, .failed(.disconnect, _)), (.ending, .timeout),
            (.ending, .serviceLost), (.ending, .busLost):
            state = .ended
            return [.end]
        case (.ending, _): return []
        case (_, .stop): return finish()
        case (_, .changed(let path, let interface, let properties)): return changed(path, interface, properties)
        case (_, .serviceLost), (_, .busLost), (_, .timeout), (_, .revoked), (.reading, .streamEnded):
            return lost(event)
        case (_, .failed(let call, let error)): return fail(failure(of: call, error))
        default: return connected(event)
        }
    }

    // MARK: Connecting

    private mutating func connected(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.findingService, .owner(let owner)):
            guard owner != nil else {
                return fail(
                    ReceiverFailure(.missing, "BlueZ does not run: run `sudo systemctl start bluetooth`"))
            }
            state = .listing
            return [.call(.getObjects)]
        case (.listing, .objects(let objects)): return choose(objects)
        case (.registering, .done(.register)):
            state = .connectingProfile
            return [.call(.connectProfile(device: device.path))]
        case (.connecting, .done(.connect)):
            state = .resolving
            return locateIfResolved()
        case (.locating, .objects(let objects)): return acquire(objects)
        case (.acquiring, .acquired(true)): return read()
        case (.acquiring, .acquired(false)): return fail(unacceptable)
        default: return []
        }
    }

    private mutating func choose(_ objects: [BluetoothObject]?) -> [Action] {
        guard let objects else {
            return fail(ReceiverFailure(.unreachable, "BlueZ does not say which devices it knows"))
        }
        switch BluetoothObject.find(address, in: objects) {
        case .failure(let failure): return fail(failure)
        case .success((let device, let adapter)): (self.device, self.adapter) = (device, adapter)
        }
        let watches = [Action.watch(path: device.path), .watch(path: adapter.path)]
        switch device.link {
        case .serialPort:
            state = .registering
            return watches + [.call(.register)]
        case .nordicUART where device.isConnected:
            state = .resolving
            return watches + locateIfResolved()
        default:
            state = .connecting
            isConnectedForThis = true
            return watches + [.call(.connect(device: device.path))]
        }
    }

    /// Returns whether the next connection by the registered profile belongs to this device.
    func awaitsConnection(of path: String) -> Bool {
        if case .connectingProfile = state { path == device.path } else { false }
    }

    private mutating func offered(_ path: String, _ isAcceptable: Bool) -> [Action] {
        guard awaitsConnection(of: path) else { return [.refuse] }
        guard isAcceptable else { return [.refuse] + fail(unacceptable) }
        return [.accept] + read()
    }

    private mutating func read() -> [Action] {
        state = .reading
        return [.wait(seconds: .infinity), .read] + (device.battery.map { [.charge($0)] } ?? [])
    }

    private mutating func locateIfResolved() -> [Action] {
        guard device.isResolved else { return [] }
        state = .locating
        return [.call(.getObjects)]
    }

    private mutating func acquire(_ objects: [BluetoothObject]?) -> [Action] {
        // Since the device is connected, BlueZ knows its battery.
        if let current = objects?.first(where: { $0.path == device.path }) { device = current }
        let output = objects?.first {
            $0.path.hasPrefix(device.path + "/") && $0.identifiers.contains(BlueZ.nordicUARTOutput)
        }
        guard let output else {
            return fail(ReceiverFailure(.unusable, "\(device.name) does not have Nordic's UART service any more"))
        }
        state = .acquiring
        return [.call(.acquire(characteristic: output.path))]
    }

    // MARK: Changes

    private mutating func changed(
        _ path: String, _ interface: String, _ properties: [(name: String, value: BusValue)]
    ) -> [Action] {
        let before = device
        for (name, value) in properties {
            if path == device.path { device.set(name, of: interface, to: value) }
            if path == adapter.path { adapter.set(name, of: interface, to: value) }
        }
        switch state {
        case .idle, .findingService, .listing, .ending, .ended: return []
        default: break
        }
        if !adapter.isPowered { return fail(.switchedOff(adapter)) }
        switch state {
        // While the device is being connected, BlueZ's reply reports a loss.
        case .resolving, .locating, .acquiring, .reading:
            if before.isConnected, !device.isConnected { return fail(disconnected) }
        default: break
        }
        switch state {
        case .resolving: return locateIfResolved()
        case .reading: return device.battery != before.battery ? device.battery.map { [.charge($0)] } ?? [] : []
        default: return []
        }
    }

    // MARK: The end

    private mutating func lost(_ event: Event) -> [Action] {
        switch event {
        case .serviceLost:
            return fail(ReceiverFailure(.disconnected, "BlueZ has ended, or was started again"))
        case .busLost:
            if case .findingService = state {
                return fail(ReceiverFailure(.unreachable, "no connection to the system bus, where BlueZ is"))
            }
            return fail(
                ReceiverFailure(.disconnected, "the connection to the system bus is lost, where BlueZ is"))
        case .timeout:
            return fail(
                ReceiverFailure(
                    .unreachable, "\(name) could not be connected in \(Int(Self.connectTime)) s: is it in range?"))
        case .revoked(let path):
            guard path == nil || path == device.path else { return [] }
            return fail(ReceiverFailure(.disconnected, "another program has disconnected \(name)"))
        default: return fail(disconnected)
        }
    }

    private mutating func fail(_ failure: ReceiverFailure) -> [Action] {
        [.report(failure)] + finish()
    }

    private mutating func finish() -> [Action] {
        guard isConnectedForThis else {
            state = .ended
            return [.end]
        }
        state = .ending
        return [.close, .wait(seconds: Self.disconnectTime), .call(.disconnect(device: device.path))]
    }

    // MARK: Failures

    private var name: String { device.path.isEmpty ? address : device.name }

    private var disconnected: ReceiverFailure {
        ReceiverFailure(.disconnected, "\(name) has disconnected: it is out of range, or was switched off")
    }

    private var unacceptable: ReceiverFailure {
        ReceiverFailure(.unusable, "BlueZ has handed over something else than a connection to \(name)")
    }

    private func failure(of call: Call, _ error: BusFailure) -> ReceiverFailure {
        switch call {
        case .getOwner, .getObjects, .disconnect: break
        case .register:
            if error.isOne(of: "NotPermitted", "AlreadyExists") {
                return ReceiverFailure(
                    .busy,
                    """
                    another program has the serial port profile of this machine, which BlueZ gives to one only: \
                    end that program
                    """)
            }
        case .acquire:
            if error.isOne(of: "NotPermitted", "InProgress") {
                return ReceiverFailure(.busy, "another program reads \(name): end it")
            }
        case .connectProfile, .connect: if let failure = connecting(error) { return failure }
        }
        if error.isOne(of: "AccessDenied") {
            return ReceiverFailure(
                .notPermitted, "the system bus does not let locationd use BlueZ: \(error.text)")
        }
        return ReceiverFailure(.unreachable, "\(name) cannot be connected: BlueZ says: \(error.text)")
    }

    /// Returns the failure of a connection that could not be made. The texts are from BlueZ's src/error.h, and before
    /// 5.65 from strerror(3).
    private func connecting(_ error: BusFailure) -> ReceiverFailure? {
        func says(_ texts: String...) -> Bool { texts.contains { error.text.contains($0) } }
        if error.isOne(of: "NotReady") || says("adapter-not-powered") { return .switchedOff(adapter) }
        if error.isOne(of: "InProgress") || says("connection-busy") {
            return ReceiverFailure(.busy, "\(name) is being connected by another program")
        }
        if error.isOne(of: "AuthenticationFailed", "AuthenticationRejected")
            || says("key-missing", "Permission denied")
        {
            return ReceiverFailure(
                .notPermitted,
                """
                \(name) does not accept this machine's key: pair it again, by `bluetoothctl remove \(address)`, \
                `bluetoothctl --timeout 30 scan on` and `bluetoothctl pair \(address)`
                """)
        }
        if says("refused") {
            return ReceiverFailure(
                .unreachable, "\(name) refuses the connection: is another machine or phone connected to it?")
        }
        if says("profile-unavailable") || error.isOne(of: "NotAvailable", "DoesNotExist") {
            return ReceiverFailure(
                .unusable,
                "\(name) does not offer what it did when it was paired: start its program that sends NMEA 0183")
        }
        if says("page-timeout", "timeout", "abort", "canceled", "Host is down", "timed out", "NoReply") {
            return ReceiverFailure(
                .unreachable, "\(name) does not answer: switch it on, and bring it within a few metres")
        }
        return nil
    }
}
