import Foundation
import LocationModel
import TestSupport
import Testing

@testable import Receivers

/// The connection to a device through a double of BlueZ, on the real dbus-daemon.
@Suite(.timeLimit(.minutes(15)), .enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct BluetoothTransportTests {
    /// Accepts the double's connections by the serial port profile, which are Unix sockets.
    private static let lenient: BluetoothDescriptor.Check = { descriptor, _ in
        BluetoothDescriptor.isAcceptable(descriptor, for: .nordicUART)
    }

    private func withDevice(
        _ state: String, check: @escaping BluetoothDescriptor.Check = BluetoothDescriptor.isAcceptable,
        _ body: (PrivateBus, BlueZDouble, ReceiverProbe) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let device = try await BlueZDouble(on: bus, state)
        let probe = try await ReceiverProbe(
            bluetooth: BlueZDouble.address, thread: BluetoothThread(bus: bus.address), check: check)
        try await withReceiver(probe) { try await body(bus, device, $0) }
    }

    @Test func theSerialPortProfileIsConnectedOnlyWhileItIsStarted() async throws {
        try await withDevice("{}", check: Self.lenient) { _, device, probe in
            let fix = try await probe.waitForFix()
            #expect(fix.location.latitude == 48.1173)
            // Not its address, because apps could recognize the machine by it.
            #expect(fix.location.receiver == "bluetooth")
            try await device.wait(for: "accepted")
            try await probe.stop()
            try await device.wait(for: "closed")
            // The bus is left, too.
            try await device.wait(for: "left")
            #expect(
                Set(device.events) == [
                    "RegisterProfile",
                    """
                    profile 00001101-0000-1000-8000-00805f9b34fb {"AutoConnect": false, "Name": "locationd", \
                    "RequireAuthentication": true, "Role": "client"}
                    """,
                    "ConnectProfile", "accepted", "closed", "UnregisterProfile", "left",
                ])
            probe.forget()
            try await probe.start()
            _ = try await probe.waitForFix()
        }
    }

    /// BlueZ accepts one registration of the profile.
    @Test func severalDevicesWithTheSerialPortProfileAreReadAtOnce() async throws {
        let bus = try await PrivateBus()
        let device = try await BlueZDouble(on: bus, #"{"devices": 2}"#)
        let thread = BluetoothThread(bus: bus.address)
        let first = try await ReceiverProbe(bluetooth: BlueZDouble.address, thread: thread, check: Self.lenient)
        let second = try await ReceiverProbe(bluetooth: BlueZDouble.secondAddress, thread: thread, check: Self.lenient)
        try await withReceiver(first) { first in
            try await withReceiver(second) { second in
                for probe in [first, second] { _ = try await probe.waitForFix() }
                // The end of one session does not end the other.
                try device.command("hang-up")
                _ = try await first.waitForLoss()
                let count = second.fixes.count
                try await eventually("more fixes") { second.fixes.count > count + 3 }
                #expect(second.events.compactMap(\.failure).isEmpty)
                first.forget()
                _ = try await first.waitForFix()
            }
            // The other one may have the profile for itself.
            let count = first.fixes.count
            try await eventually("more fixes") { first.fixes.count > count + 3 }
        }
        try await device.wait(for: "left")
        #expect(device.events.filter { $0 == "RegisterProfile" }.count == 1)
        #expect(device.events.filter { $0 == "ConnectProfile" }.count == 3)
    }

    @Test(arguments: ["serial", "nordic"])
    func theChargeOfTheBatteryIsKnownWhileItIsOpen(service: String) async throws {
        try await withDevice(#"{"service": "\#(service)", "battery": 80}"#, check: Self.lenient) { _, device, probe in
            _ = try await probe.waitForFix()
            try await eventually("80 %") { try await probe.with { $0.status.battery } == 80 }
            try device.command("battery 79")
            try await eventually("79 %") { try await probe.with { $0.status.battery } == 79 }
            try await probe.stop()
            #expect(try await probe.with { $0.status.battery } == nil)
        }
    }

    @Test func nordicsServiceIsConnectedOnlyWhileItIsStarted() async throws {
        // More objects than other services have.
        try await withDevice(#"{"service": "nordic", "others": 1000}"#) { _, device, probe in
            _ = try await probe.waitForFix()
            #expect(device.events == ["Connect", "AcquireNotify"])
            try await probe.stop()
            try await device.wait(for: "Disconnect")
            probe.forget()
            try await probe.start()
            _ = try await probe.waitForFix()
        }
    }

    @Test func aDeviceThatOthersHaveConnectedStaysConnected() async throws {
        try await withDevice(#"{"service": "nordic", "connected": true}"#) { bus, device, probe in
            _ = try await probe.waitForFix()
            try await probe.stop()
            try await device.wait(for: "closed")
            let again = try await ReceiverProbe(
                bluetooth: BlueZDouble.address, thread: BluetoothThread(bus: bus.address))
            try await withReceiver(again) { _ = try await $0.waitForFix() }
            #expect(Set(device.events) == ["AcquireNotify", "closed"])
        }
    }

    /// The check of the product: an RFCOMM socket or nothing.
    @Test func anotherKindOfDescriptorIsRefused() async throws {
        try await withDevice("{}") { _, device, probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .unusable)
            #expect(failure.message.contains("something else than a connection to GLO #1"), "\(failure)")
            try await device.wait(for: "refused")
            #expect(probe.fixes.isEmpty)
        }
    }

    @Test func theConnectionOfAnotherDeviceIsRefused() async throws {
        try await withDevice("{}", check: { _, _ in true }) { _, device, probe in
            _ = try await probe.waitForFix()
            try device.command("offer-other")
            try await device.wait(for: "refused")
            let count = probe.fixes.count
            try await eventually("more fixes") { probe.fixes.count > count }
        }
    }

    @Test(arguments: ["serial", "nordic"])
    func aDeviceThatComesBackIsReadAgain(service: String) async throws {
        try await withDevice(#"{"service": "\#(service)"}"#, check: Self.lenient) { _, device, probe in
            _ = try await probe.waitForFix()
            try device.command("out-of-range")
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
            #expect(failure.message.contains("GLO #1 has disconnected"), "\(failure)")
            let connect = service == "serial" ? "ConnectProfile" : "Connect"
            try await device.wait(for: connect, count: 3)
            let last = try await probe.with { $0.lastFailure }
            #expect(last?.message.contains("does not answer") == true, "\(last?.message ?? "")")
            probe.forget()
            try device.command("in-range")
            _ = try await probe.waitForFix()
        }
    }

    @Test(arguments: [
        ("hang-up", "has disconnected"), ("RequestDisconnection", "another program has disconnected"),
        ("Release", "another program"), ("power-off", "adapter is off"),
    ])
    func aConnectionThatEndsIsReported(command: String, text: String) async throws {
        try await withDevice("{}", check: Self.lenient) { _, device, probe in
            _ = try await probe.waitForFix()
            try device.command(command)
            let failure = try await probe.waitForLoss()
            #expect(failure.message.contains(text), "\(failure)")
        }
    }

    @Test(arguments: [
        (#"{"powered": false}"#, ReceiverFailure.Reason.unusable, "bluetoothctl power on"),
        (#"{"paired": false}"#, .unusable, "is not paired"),
        (#"{"paired": null}"#, .missing, "does not know the device"),
        (#"{"service": null}"#, .unusable, "offers neither"),
        (#"{"taken": true}"#, .busy, "gives to one only"),
        (#"{"error": ["Failed", "br-connection-page-timeout"]}"#, .unreachable, "does not answer"),
        (
            #"{"service": "nordic", "error": ["Failed", "le-connection-abort-by-local"]}"#, .unreachable,
            "does not answer"
        ),
    ])
    func aDeviceThatCannotBeReadIsLostWithTheReason(
        state: String, reason: ReceiverFailure.Reason, text: String
    ) async throws {
        try await withDevice(state) { _, _, probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == reason && failure.message.contains(text), "\(failure)")
        }
    }

    @Test func aBlueZThatEndsIsLostAndReadAgainWhenItIsBack() async throws {
        let bus = try await PrivateBus()
        let probe = try await ReceiverProbe(
            bluetooth: BlueZDouble.address, thread: BluetoothThread(bus: bus.address), check: Self.lenient)
        try await withReceiver(probe) { probe in
            let missing = try await probe.waitForLoss()
            #expect(missing.reason == .missing && missing.message.contains("systemctl start bluetooth"), "\(missing)")
            let device = try await BlueZDouble(on: bus)
            _ = try await probe.waitForFix()
            probe.forget()
            try await device.kill()
            let lost = try await probe.waitForLoss()
            #expect(lost.reason == .disconnected, "\(lost)")
            probe.forget()
            let again = try await BlueZDouble(on: bus)
            _ = try await probe.waitForFix()
            withExtendedLifetime(again) {}
        }
    }

    @Test func withoutABusItIsLost() async throws {
        let probe = try await ReceiverProbe(
            bluetooth: BlueZDouble.address, thread: BluetoothThread(bus: "unix:path=/nonexistent/bus"))
        try await withReceiver(probe) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .unreachable && failure.message.contains("no connection to the system bus"))
        }
    }

    @Test func aBusThatEndsIsLost() async throws {
        try await withDevice("{}", check: Self.lenient) { bus, _, probe in
            _ = try await probe.waitForFix()
            try await bus.crash()
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected, "\(failure)")
        }
    }

    /// However often it is switched, one session is there at a time, and the last word counts.
    @Test func startsAndStopsInARow() async throws {
        try await withDevice(#"{"service": "nordic"}"#) { _, device, probe in
            for _ in 0..<20 {
                try await probe.stop()
                try await probe.start()
            }
            _ = try await probe.waitForFix()
            try await probe.stop()
            try await device.wait(for: "Disconnect")
            #expect(try await probe.with { $0.state } == .stopped)
        }
    }
}
