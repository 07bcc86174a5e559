import Bus
import Testing

@testable import Receivers

/// The decisions between the bus and the bytes of a device.
struct BluetoothStateMachineTests {
    typealias Machine = BluetoothStateMachine
    private typealias Samples = BluetoothSamples

    private static let connectTime = Machine.Action.wait(seconds: Machine.connectTime)
    private static let watches: [Machine.Action] = [
        .watch(path: Samples.devicePath), .watch(path: Samples.adapterPath),
    ]
    private static let reading: [Machine.Action] = [.wait(seconds: .infinity), .read]
    private static let disconnecting: [Machine.Action] = [
        .close, .wait(seconds: Machine.disconnectTime), .call(.disconnect(device: Samples.devicePath)),
    ]

    private static let nordic = Samples.device(services: [BlueZ.nordicUART])
    private static let connectedNordic = Samples.device(
        services: [BlueZ.nordicUART], ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])

    /// A machine after these events.
    private func machine(_ events: [Machine.Event]) -> Machine {
        var machine = Machine(address: Samples.address)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private func found(_ device: BluetoothObject = Samples.device()) -> [Machine.Event] {
        [.start, .owner(":1.2"), .objects([Samples.adapter(), device, Samples.output()])]
    }

    private var registered: [Machine.Event] { found() + [.done(.register)] }

    private func offered(_ device: String = Samples.devicePath, _ isAcceptable: Bool = true) -> Machine.Event {
        .offered(device: device, isAcceptable: isAcceptable)
    }

    private var serialReading: [Machine.Event] { registered + [offered()] }

    private var nordicReading: [Machine.Event] {
        found(Self.nordic) + [
            .done(.connect(device: Samples.devicePath)), changed("ServicesResolved", true),
            .objects([Samples.output()]), .acquired(isAcceptable: true),
        ]
    }

    private func changed(_ name: String, _ value: Bool, of path: String = Samples.devicePath) -> Machine.Event {
        let interface = path == Samples.adapterPath ? BlueZ.adapter : BlueZ.device
        return .changed(path: path, interface: interface, [(name, .boolean(value))])
    }

    private func error(_ name: String, _ text: String) -> BusFailure {
        BusFailure(name: "org.bluez.Error." + name, text: text)
    }

    /// Returns the failure that a session reports before it ends at once.
    private func reported(_ actions: [Machine.Action]) -> ReceiverFailure? {
        guard case .report(let failure)? = actions.first, actions.dropFirst() == [.end] else { return nil }
        return failure
    }

    // MARK: The steps to the bytes

    @Test func aDeviceWithTheSerialPortProfile() {
        var machine = machine([])
        #expect(machine.handle(.start) == [Self.connectTime, .call(.getOwner)])
        #expect(machine.handle(.owner(":1.2")) == [.call(.getObjects)])
        #expect(
            machine.handle(.objects([Samples.adapter(), Samples.device()])) == Self.watches + [.call(.register)])
        #expect(machine.handle(.done(.register)) == [.call(.connectProfile(device: Samples.devicePath))])
        // BlueZ passes the connection before it replies.
        #expect(machine.handle(changed("Connected", true)).isEmpty)
        #expect(machine.handle(offered()) == [.accept] + Self.reading)
        #expect(machine.handle(.done(.connectProfile(device: Samples.devicePath))).isEmpty)
        #expect(machine.handle(.stop) == [.end])
        #expect(machine.handle(.stop).isEmpty)
    }

    @Test func aDeviceWithNordicsService() {
        var machine = machine([.start, .owner(":1.2")])
        #expect(
            machine.handle(.objects([Samples.adapter(), Self.nordic]))
                == Self.watches + [.call(.connect(device: Samples.devicePath))])
        #expect(machine.handle(changed("Connected", true)).isEmpty)
        #expect(machine.handle(.done(.connect(device: Samples.devicePath))).isEmpty)
        #expect(machine.handle(changed("ServicesResolved", true)) == [.call(.getObjects)])
        let output = Samples.output()
        let other = Samples.output(of: "/org/bluez/hci0/dev_10_C6_FC_12_34_57")
        #expect(machine.handle(.objects([other, output])) == [.call(.acquire(characteristic: output.path))])
        #expect(machine.handle(.acquired(isAcceptable: true)) == Self.reading)
        // It was connected for this.
        #expect(machine.handle(.stop) == Self.disconnecting)
        #expect(machine.handle(.done(.disconnect(device: Samples.devicePath))) == [.end])
    }

    @Test func servicesThatAreResolvedBeforeTheReplyAreNotWaitedFor() {
        var machine = machine(found(Self.nordic) + [changed("Connected", true), changed("ServicesResolved", true)])
        #expect(machine.handle(.done(.connect(device: Samples.devicePath))) == [.call(.getObjects)])
    }

    @Test func aDeviceThatOthersHaveConnectedStaysConnected() {
        var machine = machine([.start, .owner(":1.2")])
        #expect(
            machine.handle(.objects([Samples.adapter(), Self.connectedNordic])) == Self.watches + [.call(.getObjects)])
        _ = machine.handle(.objects([Samples.output()]))
        #expect(machine.handle(.acquired(isAcceptable: true)) == Self.reading)
        #expect(machine.handle(.stop) == [.end])
    }

    @Test func theBatteryIsReportedWithTheConnectionAndWhenItChanges() {
        func charge(_ percent: UInt8) -> Machine.Event {
            .changed(path: Samples.devicePath, interface: BlueZ.battery, [("Percentage", .byte(percent))])
        }
        var machine = machine(registered)
        #expect(machine.handle(charge(80)).isEmpty)
        #expect(machine.handle(offered()) == [.accept] + Self.reading + [.charge(80)])
        #expect(machine.handle(charge(80)).isEmpty)
        #expect(machine.handle(charge(79)) == [.charge(79)])
        #expect(machine.handle(charge(255)).isEmpty)
        // With Nordic's service, it is among the interfaces of the connected device.
        var nordic = self.machine(found(Self.connectedNordic))
        var device = Self.connectedNordic
        device.set("Percentage", of: BlueZ.battery, to: .byte(7))
        _ = nordic.handle(.objects([device, Samples.output()]))
        #expect(nordic.handle(.acquired(isAcceptable: true)) == Self.reading + [.charge(7)])
    }

    // MARK: Refused connections

    /// Attack: another device connects by the same profile.
    @Test func connectionsOfOtherDevicesAreRefused() {
        let other = offered("/org/bluez/hci0/dev_66_66_66_66_66_66")
        for events in [found(), registered, serialReading] {
            var machine = machine(events)
            #expect(machine.handle(other) == [.refuse])
        }
        var machine = machine(serialReading)
        #expect(machine.handle(offered()) == [.refuse], "a second one")
        #expect(machine.handle(.streamEnded).count == 2)
        #expect(machine.handle(offered()).isEmpty, "after the end")
    }

    @Test func aDescriptorOfAnotherKindIsRefused() {
        var serial = machine(registered)
        let actions = serial.handle(offered(Samples.devicePath, false))
        #expect(actions.first == .refuse)
        #expect(reported(Array(actions.dropFirst()))?.reason == .unusable)
        var nordic = machine(found(Self.connectedNordic) + [.objects([Samples.output()])])
        #expect(reported(nordic.handle(.acquired(isAcceptable: false)))?.reason == .unusable)
    }

    // MARK: Failures

    @Test(arguments: [
        (Machine.Event.owner(nil), ReceiverFailure.Reason.missing, "systemctl start bluetooth"),
        (.busLost, .unreachable, "no connection to the system bus"),
    ])
    func withoutBlueZ(event: Machine.Event, reason: ReceiverFailure.Reason, text: String) throws {
        var machine = machine([.start])
        let failure = try #require(reported(machine.handle(event)))
        #expect(failure.reason == reason && failure.message.contains(text), "\(failure)")
    }

    @Test(arguments: [
        ("Failed", "br-connection-page-timeout", ReceiverFailure.Reason.unreachable, "GLO #1 does not answer"),
        ("Failed", "Host is down", .unreachable, "does not answer"),
        ("Failed", "br-connection-refused", .unreachable, "another machine or phone"),
        ("Failed", "Connection refused", .unreachable, "another machine or phone"),
        ("NotReady", "Resource Not Ready", .unusable, "adapter is off"),
        ("NotReady", "br-connection-adapter-not-powered", .unusable, "adapter is off"),
        ("InProgress", "br-connection-busy", .busy, "by another program"),
        ("Failed", "br-connection-key-missing", .notPermitted, "pair it again"),
        ("AuthenticationFailed", "Authentication Failed", .notPermitted, "pair it again"),
        ("NotAvailable", "br-connection-profile-unavailable", .unusable, "does not offer"),
        ("Failed", "br-connection-unknown", .unreachable, "BlueZ says: br-connection-unknown"),
    ])
    func aConnectionThatFails(name: String, text: String, reason: ReceiverFailure.Reason, message: String) throws {
        var machine = machine(registered)
        let actions = machine.handle(.failed(.connectProfile(device: Samples.devicePath), error(name, text)))
        let failure = try #require(reported(actions))
        #expect(failure.reason == reason && failure.message.contains(message), "\(failure)")
    }

    @Test func whatAnotherProgramHas() throws {
        var serial = machine(found())
        let one = try #require(
            reported(serial.handle(.failed(.register, error("NotPermitted", "UUID already registered")))))
        #expect(one.reason == .busy && one.message.contains("gives to one only"), "\(one)")
        var nordic = machine(found(Self.connectedNordic) + [.objects([Samples.output()])])
        let acquire = Machine.Call.acquire(characteristic: Samples.output().path)
        let other = try #require(reported(nordic.handle(.failed(acquire, error("NotPermitted", "Notify acquired")))))
        #expect(other.reason == .busy && other.message.contains("another program reads GLO #1"), "\(other)")
    }

    @Test func theBusMayForbidIt() throws {
        var machine = machine(found())
        let denied = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Rejected send message")
        let failure = try #require(reported(machine.handle(.failed(.register, denied))))
        #expect(failure.reason == .notPermitted && failure.message.contains("Rejected send message"), "\(failure)")
    }

    @Test func aDeviceThatCannotBeConnectedInTimeIsDisconnected() {
        var machine = machine(found(Self.nordic))
        let actions = machine.handle(.timeout)
        guard case .report(let failure)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(failure.reason == .unreachable && failure.message.contains("in 60 s"), "\(failure)")
        #expect(Array(actions.dropFirst()) == Self.disconnecting)
        #expect(machine.handle(.stop).isEmpty)
        #expect(machine.handle(.timeout) == [.end])
    }

    @Test func nordicsServiceMayHaveGone() {
        var machine = machine(found(Self.connectedNordic))
        #expect(reported(machine.handle(.objects([])))?.reason == .unusable)
        var unreadable = self.machine([.start, .owner(":1.2")])
        #expect(reported(unreadable.handle(.objects(nil)))?.reason == .unreachable)
    }

    // MARK: Loss of the connection

    @Test(arguments: [
        (Machine.Event.streamEnded, "out of range"),
        (.changed(path: Samples.devicePath, interface: BlueZ.device, [("Connected", .boolean(false))]), "out of range"),
        (.revoked(device: Samples.devicePath), "another program has disconnected GLO #1"),
        (.revoked(device: nil), "another program"),
        (.serviceLost, "BlueZ has ended"),
        (.busLost, "the connection to the system bus is lost"),
    ])
    func aDeviceThatIsLost(event: Machine.Event, text: String) throws {
        var machine = machine(registered + [changed("Connected", true), offered()])
        let failure = try #require(reported(machine.handle(event)))
        #expect(failure.reason == .disconnected && failure.message.contains(text), "\(failure)")
    }

    @Test func anAdapterThatIsSwitchedOff() {
        for events in [found(), registered, serialReading] {
            var machine = machine(events)
            let failure = reported(machine.handle(changed("Powered", false, of: Samples.adapterPath)))
            #expect(failure?.message.contains("adapter is off") == true)
        }
    }

    @Test func whatDoesNotConcernItChangesNothing() {
        var machine = machine(nordicReading)
        #expect(machine.handle(changed("Connected", false, of: "/org/bluez/hci0/dev_10_C6_FC_12_34_57")).isEmpty)
        #expect(machine.handle(changed("Paired", true)).isEmpty)
        #expect(machine.handle(.revoked(device: "/org/bluez/hci0/dev_10_C6_FC_12_34_57")).isEmpty)
        #expect(machine.handle(.objects([])).isEmpty)
    }

    @Test func theEndIsWaitedForOnlyWhileBlueZIsThere() {
        for event in [Machine.Event.serviceLost, .busLost, .timeout] {
            var machine = machine(nordicReading + [.stop])
            #expect(machine.handle(changed("Connected", false)).isEmpty)
            #expect(machine.handle(event) == [.end])
        }
    }

    /// Stopped at any time, it ends, and disconnects a device that it connected.
    @Test func itCanBeStoppedAtAnyTime() {
        for count in 0...serialReading.count {
            var machine = machine(Array(serialReading.prefix(count)))
            #expect(machine.handle(.stop) == [.end])
        }
        for count in found().count...nordicReading.count {
            var machine = machine(Array(nordicReading.prefix(count)))
            #expect(machine.handle(.stop) == Self.disconnecting)
        }
    }
}
