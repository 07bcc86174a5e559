import CLinux
import Dispatch
import Glibc
import Linux
import NIOConcurrencyHelpers
import SystemBus

/// Connects to a Bluetooth device through BlueZ, and reads it, on a thread that it occupies from beginning to end.
///
/// BlueZ hands a connection over as a descriptor, and whoever can receive one receives what anybody sends. So nobody
/// waits for this thread: see ``DescriptorConnection``. The loop gets bytes, never a descriptor.
final class BluetoothSession: Sendable {
    /// The functions that are called on the thread. None of them is called after `run()` has returned.
    struct Handlers: Sendable {
        /// The device is connected.
        var opened: @Sendable () -> Void
        /// Bytes have arrived. Returns when they were handled: a device that sends faster waits.
        var received: @Sendable ([UInt8]) -> Void
        /// The device cannot be read, or not any more. Called once at most.
        var failed: @Sendable (ReceiverFailure) -> Void
    }

    private let address: String
    private let bus: String?
    private let check: BluetoothDescriptor.Check
    private let handlers: Handlers
    private let wake: Wake

    /// Creates a session that has not begun.
    ///
    /// - Parameters:
    ///   - address: The device's address.
    ///   - bus: The address of the bus, or `nil` for the system bus.
    ///   - check: Returns whether a descriptor is read.
    init(
        address: String, bus: String?, check: @escaping BluetoothDescriptor.Check, handlers: Handlers
    ) throws(SystemCallError) {
        self.address = address
        self.bus = bus
        self.check = check
        self.handlers = handlers
        wake = try Wake()
    }

    /// Ends the session, soon. May be called on any thread, also before `run()`.
    func stop() { wake.stop() }

    /// Connects, and reads until the end.
    func run() {
        guard let connection = try? DescriptorConnection(address: bus) else {
            handlers.failed(
                ReceiverFailure(.unreachable, "no connection to the system bus, where BlueZ is"))
            return
        }
        Run(address: address, on: connection, check: check, handlers: handlers, wake: wake).run()
    }

    /// The end of waiting that another thread brings about.
    private final class Wake: Sendable {
        /// Becomes readable when the session is to end.
        let descriptor: CInt
        private let writing: CInt

        init() throws(SystemCallError) {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SystemCallError("pipe", errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (descriptor, writing) = (ends[0], ends[1])
        }

        deinit {
            Glibc.close(descriptor)
            Glibc.close(writing)
        }

        func stop() { write(writing, "", 1) }
    }
}

extension BluetoothSession {
    /// The state of a session on its thread.
    private final class Run {
        /// The number of messages after which the device is looked at. Attack: a program sends messages without end.
        private static let messagesAtOnce = 64
        private static let readAtOnce = 4096

        private let connection: DescriptorConnection
        private let check: BluetoothDescriptor.Check
        private let handlers: Handlers
        private let wake: Wake
        private var machine: StateMachine
        private var calls: [UInt64: StateMachine.Call] = [:]
        /// The call by which BlueZ offers the connection in `offered`.
        private var offer: IncomingCall?
        /// A descriptor that BlueZ has handed over, and that is not read yet, or -1.
        private var offered: CInt = -1
        /// The descriptor that is read, or -1.
        private var stream: CInt = -1
        private var deadline = UInt64.max
        private var isStopped = false
        private var hasEnded = false

        init(
            address: String, on connection: DescriptorConnection, check: @escaping BluetoothDescriptor.Check,
            handlers: Handlers, wake: Wake
        ) {
            self.connection = connection
            self.check = check
            self.handlers = handlers
            self.wake = wake
            machine = StateMachine(address: address)
        }

        func run() {
            // From the beginning on, so that no change is missed.
            connection.addMatch(
                """
                type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',\
                member='NameOwnerChanged',arg0='\(BlueZ.service)'
                """)
            handle(.start)
            while !hasEnded {
                do throws(SystemCallError) { try step() } catch { handle(.busLost) }
            }
            drop(&offered)
            closeStream()
        }

        /// Handles what there is, and waits for more.
        private func step() throws(SystemCallError) {
            var isBusy = true
            for _ in 0..<Self.messagesAtOnce where isBusy && !hasEnded {
                isBusy = try connection.process { receive($0) }
                // One that was not accepted in its own call is not read.
                drop(&offered)
            }
            guard !hasEnded else { return }
            let awaited = try connection.awaited()
            var polled = [
                pollfd(fd: isStopped ? -1 : wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: awaited.descriptor, events: awaited.events, revents: 0),
                pollfd(fd: stream, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, nfds_t(polled.count), isBusy ? 0 : Self.milliseconds(until: min(deadline, awaited.deadline)))
            if polled[0].revents != 0 {
                isStopped = true
                handle(.stop)
            }
            if polled[2].revents != 0 { readStream() }
            if Self.now >= deadline {
                deadline = .max
                handle(.timeout)
            }
        }

        // MARK: Time

        /// CLOCK_MONOTONIC in microseconds, as libsystemd counts.
        private static var now: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        }

        private static func milliseconds(until deadline: UInt64) -> CInt {
            guard deadline != .max else { return -1 }
            let now = Self.now
            return deadline <= now ? 0 : CInt(clamping: (deadline - now) / 1000 + 1)
        }

        // MARK: The device

        private func readStream() {
            var status = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.readAtOnce) { buffer, count in
                status = recv(stream, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
                count = max(status, 0)
            }
            if status < 0, errno == EAGAIN || errno == EINTR { return }
            if status > 0 { handlers.received(bytes) } else { handle(.streamEnded) }
        }

        private func closeStream() {
            // BlueZ has the descriptor of an RFCOMM socket, too, and keeps it open.
            if stream >= 0 { shutdown(stream, CInt(SHUT_RDWR)) }
            drop(&stream)
        }

        private func drop(_ descriptor: inout CInt) {
            if descriptor >= 0 { descriptor_close(descriptor) }
            descriptor = -1
        }

        // MARK: The bus

        private func receive(_ received: DescriptorConnection.Received) {
            switch received {
            case .call(let message): receive(call: message)
            case .signal(let message): receive(signal: message)
            case .failure(let cookie, let failure):
                switch calls.removeValue(forKey: cookie) {
                case .getOwner?: handle(.owner(nil))
                case .getObjects?: handle(.objects(nil))
                case let call?: handle(.failed(call, failure))
                case nil: break
                }
            case .reply(let cookie, let message):
                switch calls.removeValue(forKey: cookie) {
                case .getOwner?:
                    connection.service = message.readString()
                    handle(.owner(connection.service))
                case .getObjects?: handle(.objects(BluetoothObject.list(message)))
                case .acquire?:
                    offered = message.readDescriptor() ?? -1
                    handle(.acquired(isAcceptable: offered >= 0 && check(offered, .nordicUART)))
                case let call?: handle(.done(call))
                case nil: break
                }
            }
        }

        private func receive(call message: BusMessage) {
            guard let call = message.callWithoutArguments else { return }
            guard call.call.path == BlueZ.profilePath, call.call.interface == BlueZ.profile else {
                return connection.reply(to: call, .unknownObject)
            }
            switch call.call.member {
            case "NewConnection":
                let device = message.readString("o") ?? ""
                offered = message.readDescriptor() ?? -1
                offer = call
                handle(.offered(device: device, isAcceptable: offered >= 0 && check(offered, .serialPort)))
                offer = nil
            case "RequestDisconnection":
                connection.reply(to: call)
                handle(.revoked(device: message.readString("o") ?? ""))
            case "Release":
                connection.reply(to: call)
                handle(.revoked(device: nil))
            default: connection.reply(to: call, .unknownMethod)
            }
        }

        private func receive(signal message: BusMessage) {
            switch (message.interface, message.member) {
            case ("org.freedesktop.DBus", "NameOwnerChanged"):
                guard connection.service != nil, message.readString() == BlueZ.service else { return }
                handle(.serviceLost)
            case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
                guard let path = message.path, let interface = message.readString() else { return }
                var properties: [(name: String, value: BusValue)] = []
                message.readProperties { name in
                    guard BluetoothObject.isRead(name, of: interface) else { return false }
                    let value = message.readVariant { _ in message.readValue() }
                    if let value { properties.append((name, value)) }
                    return true
                }
                if !properties.isEmpty { handle(.changed(path: path, interface: interface, properties)) }
            default: break
            }
        }

        // MARK: Actions

        private func handle(_ event: StateMachine.Event) {
            for action in machine.handle(event) { perform(action) }
        }

        private func perform(_ action: StateMachine.Action) {
            switch action {
            case .call(let call):
                if let cookie = send(call) { calls[cookie] = call }
            case .watch(let path):
                connection.addMatch(
                    """
                    type='signal',sender='\(connection.service ?? "")',path='\(path)',\
                    interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'
                    """)
            case .wait(let seconds):
                deadline = seconds.isFinite ? Self.now + UInt64(seconds * 1_000_000) : .max
            case .accept: if let offer { connection.reply(to: offer) }
            case .refuse: if let offer { connection.reply(to: offer, .accessDenied) }
            case .read:
                (stream, offered) = (offered, -1)
                handlers.opened()
            case .close: closeStream()
            case .report(let failure): handlers.failed(failure)
            case .end: hasEnded = true
            }
        }

        private func send(_ call: StateMachine.Call) -> UInt64? {
            let service = connection.service ?? ""
            switch call {
            case .getOwner:
                return connection.call(
                    "GetNameOwner", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                    on: "org.freedesktop.DBus", [.string(BlueZ.service)])
            case .getObjects:
                return connection.call(
                    "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: BlueZ.path, on: service, [])
            case .register:
                // Not connected to whatever device comes along that has a serial port, such as a printer.
                let options = [
                    PropertyValue("Name", .string("locationd")), PropertyValue("Role", .string("client")),
                    PropertyValue("RequireAuthentication", .boolean(true)),
                    PropertyValue("AutoConnect", .boolean(false)),
                ]
                return connection.call(
                    "RegisterProfile", of: BlueZ.profileManager, at: BlueZ.profileManagerPath, on: service,
                    [.objectPath(BlueZ.profilePath), .string(BlueZ.serialPort), .properties(options)])
            case .connectProfile(let device):
                return connection.call(
                    "ConnectProfile", of: BlueZ.device, at: device, on: service, [.string(BlueZ.serialPort)])
            case .connect(let device):
                return connection.call("Connect", of: BlueZ.device, at: device, on: service, [])
            case .acquire(let characteristic):
                return connection.call(
                    "AcquireNotify", of: BlueZ.characteristic, at: characteristic, on: service, [.properties([])])
            case .disconnect(let device):
                return connection.call("Disconnect", of: BlueZ.device, at: device, on: service, [])
            }
        }
    }
}
