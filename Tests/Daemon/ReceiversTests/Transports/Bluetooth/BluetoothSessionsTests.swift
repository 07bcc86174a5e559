import Bus
import Testing

@testable import Receivers

/// The registration and the watches that the sessions of several devices share.
struct BluetoothSessionsTests {
    private typealias Samples = BluetoothSamples
    private typealias Step = BluetoothSessions.Step

    private static let otherPath = "/org/bluez/hci0/dev_10_C6_FC_12_34_57"
    private static let otherAddress = "10:C6:FC:12:34:57"
    private static let objects = [
        Samples.adapter(), Samples.device(),
        Samples.object(
            otherPath, BlueZ.device,
            [
                "Address": .string(otherAddress), "Adapter": .objectPath(Samples.adapterPath),
                "Paired": .boolean(true), "UUIDs": .strings([BlueZ.serialPort]),
            ]),
    ]

    /// Sessions of both devices.
    private var both: BluetoothSessions {
        var sessions = BluetoothSessions()
        for address in [Samples.address, Self.otherAddress] { _ = sessions.add(address: address) }
        return sessions
    }

    /// Has a session find its device. Returns the steps of the last event.
    private func find(_ id: BluetoothSessions.ID, _ sessions: inout BluetoothSessions) -> [Step] {
        _ = sessions.handle(.start, of: id)
        _ = sessions.handle(.owner(":1.2"), of: id)
        return sessions.handle(.objects(Self.objects), of: id)
    }

    private func connect(_ id: BluetoothSessions.ID, _ path: String) -> Step {
        .session(id, .call(.connectProfile(device: path)))
    }

    /// Sessions of both devices, which are read.
    private func reading() -> BluetoothSessions {
        var sessions = both
        for id in [1, 2] { _ = find(id, &sessions) }
        _ = sessions.registered()
        _ = sessions.handle(.offered(device: Samples.devicePath, isAcceptable: true), of: 1)
        _ = sessions.handle(.offered(device: Self.otherPath, isAcceptable: true), of: 2)
        return sessions
    }

    @Test func theProfileIsRegisteredOnceForAll() {
        var sessions = both
        #expect(
            find(1, &sessions) == [.watch(path: Samples.devicePath), .watch(path: Samples.adapterPath), .register])
        // The adapter is watched already, and the registration is on its way.
        #expect(find(2, &sessions) == [.watch(path: Self.otherPath)])
        #expect(sessions.registered() == [connect(1, Samples.devicePath), connect(2, Self.otherPath)])
        let third = sessions.add(address: Samples.address)
        #expect(find(third, &sessions) == [connect(third, Samples.devicePath)])
    }

    @Test func aConnectionIsThatOfTheSessionThatWaitsForIt() {
        var sessions = both
        for id in [1, 2] { _ = find(id, &sessions) }
        #expect(sessions.session(awaiting: Samples.devicePath) == nil, "before the registration")
        _ = sessions.registered()
        #expect(sessions.session(awaiting: Self.otherPath) == 2)
        #expect(sessions.session(awaiting: Samples.devicePath) == 1)
        #expect(sessions.session(awaiting: "/org/bluez/hci0/dev_66_66_66_66_66_66") == nil)
        _ = sessions.handle(.offered(device: Samples.devicePath, isAcceptable: true), of: 1)
        #expect(sessions.session(awaiting: Samples.devicePath) == nil, "a second one")
    }

    @Test func whatEndsOneDoesNotEndTheOther() {
        var sessions = reading()
        #expect(sessions.handle(.stop, of: 1) == [.session(1, .end), .unwatch(path: Samples.devicePath)])
        #expect(sessions.handle(.stop, of: 1).isEmpty)
        #expect(!sessions.isEmpty)
        // The last one gives the profile back.
        #expect(
            sessions.handle(.streamEnded, of: 2).dropFirst() == [
                .session(2, .end), .unwatch(path: Samples.adapterPath), .unwatch(path: Self.otherPath), .unregister,
            ])
        #expect(sessions.isEmpty)
    }

    @Test func changesConcernTheSessionsThatWatchTheObject() {
        var sessions = reading()
        let change: [(name: String, value: BusValue)] = [("Percentage", .byte(50))]
        #expect(
            sessions.changed(path: Self.otherPath, interface: BlueZ.battery, change) == [.session(2, .charge(50))])
        let off = sessions.changed(
            path: Samples.adapterPath, interface: BlueZ.adapter, [("Powered", .boolean(false))])
        #expect(off.contains(.session(1, .end)) && off.contains(.session(2, .end)))
        #expect(sessions.changed(path: Self.otherPath, interface: BlueZ.battery, change).isEmpty)
    }

    @Test func aRegistrationThatFailsEndsAllThatNeedIt() {
        var sessions = both
        for id in [1, 2] { _ = find(id, &sessions) }
        let failure = BusFailure(name: "org.bluez.Error.NotPermitted", text: "UUID already registered")
        let steps = sessions.registered(failure)
        #expect(steps.contains(.session(1, .end)) && steps.contains(.session(2, .end)))
        #expect(sessions.isEmpty && !steps.contains(.unregister))
        // It is tried again for the next one.
        let next = sessions.add(address: Samples.address)
        #expect(find(next, &sessions).last == .register)
    }

    @Test func aRegistrationThatNobodyNeedsAnyMoreIsGivenBack() {
        var sessions = both
        _ = find(1, &sessions)
        #expect(!sessions.handle(.stop, of: 1).contains(.unregister))
        #expect(sessions.registered() == [.unregister])
        #expect(find(2, &sessions).last == .register)
    }

    @Test func whenBlueZDropsTheProfileItIsRegisteredAgain() {
        var sessions = reading()
        let steps = sessions.revoked(device: nil)
        #expect(steps.contains(.session(1, .end)) && steps.contains(.session(2, .end)))
        #expect(!steps.contains(.unregister))
        let next = sessions.add(address: Samples.address)
        #expect(find(next, &sessions).last == .register)
    }

    @Test func aDeviceThatAnotherProgramDisconnectsIsTheOnlyOneThatIsLost() {
        var sessions = reading()
        let steps = sessions.revoked(device: Self.otherPath)
        #expect(steps.contains(.session(2, .end)) && !steps.contains(.session(1, .end)))
    }

    @Test func withoutBlueZOrTheBusAllEnd() {
        for event in [BluetoothStateMachine.Event.serviceLost, .busLost] {
            var sessions = reading()
            _ = sessions.lost(event)
            #expect(sessions.isEmpty)
        }
    }
}
