import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Receivers that are plugged in and unplugged while the real daemon runs, on mocked devices with the properties that
/// the real udev rules set.
@Suite(
    .enabled(if: UdevRules.isPossible, "needs umockdev, udev, and a bubblewrap that can create sandboxes"),
    .timeLimit(.minutes(15)))
struct DiscoveryTests {
    private typealias Updates = VarlinkStream<Subscribe.Reply>.Iterator

    private let machine: MockedMachine

    init() async throws { machine = try await MockedMachine() }

    /// Returns the device as it is in udev's database.
    private func byRules(_ device: MockedDevice) async throws -> MockedDevice {
        var device = device
        device.properties = try await UdevRules().outcome(of: device).properties.filter { name, _ in
            name.hasPrefix("ID_") || name == "DEVLINKS"
        }
        return device
    }

    private func receivers(of daemon: TestDaemon) async throws -> [ReceiverSummary] {
        try await daemon.call(ListReceivers.self, .init()).receivers
    }

    /// Waits until there are exactly these receivers, with their ports.
    private func eventually(_ daemon: TestDaemon, has expected: [String]) async throws {
        var seen: [String] = []
        do {
            try await TestSupport.eventually("the receivers") {
                seen = try await receivers(of: daemon).map {
                    "\($0.name) \($0.port ?? "-")"
                }
                return seen == expected
            }
        } catch { throw Overdue(what: "\(expected); there were \(seen)") }
    }

    private func next(_ event: UpdateEvent, in updates: inout Updates) async throws -> Update {
        while let reply = try await updates.next() {
            if let update = reply.update, update.event == event { return update }
        }
        throw Overdue(what: "\(event)")
    }

    /// Sends fixes until the receiver is running, since it is opened at a time of its own choice, and waits until the
    /// subscriber is notified of that.
    ///
    /// - Parameter first: The second of the first fix. It must be later than all fixes before, or the fix does not
    ///   count.
    private func found(
        _ wire: Wire, by daemon: TestDaemon, first: Int = 0, in updates: inout Updates
    ) async throws {
        try await sendFixes(wire, to: daemon, first: first)
        _ = try await next(.receiverFound, in: &updates)
    }

    /// Sends fixes until the receiver is running. One alone may be lost, because the receiver is closed and opened
    /// again after five seconds of silence.
    private func sendFixes(_ wire: Wire, to daemon: TestDaemon, first: Int = 0) async throws {
        var second = first
        try await TestSupport.eventually("fixes") {
            wire.offer(Sentences.epoch(second))
            second += 1
            return try await receivers(of: daemon).contains { $0.state == .running }
        }
    }

    @Test func pluggedInUnpluggedAndPluggedInElsewhere() async throws {
        let daemon = try await TestDaemon(receivers: [], discover: nil, launcher: machine.launcher)
        try await daemon.grantSelf()
        #expect(try await receivers(of: daemon).isEmpty)
        var updates = try await daemon.subscribe().makeAsyncIterator()
        _ = try await next(.receiverLost, in: &updates)

        var device = try await byRules(MockedDevice("ttyACM0"))
        var wire = try Wire()
        let clock = ContinuousClock()
        let timeToFind = try await clock.measure {
            try await machine.plug(device, wire: wire)
            try await found(wire, by: daemon, in: &updates)
        }
        _ = try await next(.location, in: &updates)
        #expect(try await receivers(of: daemon).map(\.name) == ["u-blox 7"])

        let timeToLose = try await clock.measure {
            wire.unplug()
            try await machine.unplug(device)
            _ = try await next(.receiverLost, in: &updates)
        }
        try await eventually(daemon, has: ["u-blox 7 -"])

        device = try await byRules(MockedDevice("ttyACM1", socket: 2))
        wire = try Wire()
        let timeToFindAgain = try await clock.measure {
            try await machine.plug(device, wire: wire)
            try await found(wire, by: daemon, first: 1000, in: &updates)
        }
        try await eventually(daemon, has: ["u-blox 7 \(wire.path)"])
        let update = try await next(.location, in: &updates)
        #expect(update.location?.receiver == "u-blox 7")
        print(
            "plugged in to receiverFound: \(timeToFind); unplugged to receiverLost: \(timeToLose);",
            "plugged in elsewhere to receiverFound: \(timeToFindAgain)")
    }

    /// Either the port hangs up and udev reports nothing, or the other way round.
    @Test(arguments: [true, false]) func eitherSignOfUnpluggingIsEnough(portHangsUp: Bool) async throws {
        let device = try await byRules(MockedDevice("ttyACM0"))
        // With texts, so that silence is not the reason for losing the receiver.
        let wire = try Wire(sendsTexts: true)
        try await machine.plug(device, wire: wire)
        let daemon = try await TestDaemon(receivers: [], discover: nil, launcher: machine.launcher)
        try await daemon.grantSelf()
        // The receiver was there before the daemon.
        try await eventually(daemon, has: ["u-blox 7 \(wire.path)"])
        #expect(try await receivers(of: daemon)[0].state == .stopped)
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await sendFixes(wire, to: daemon)
        _ = try await next(.location, in: &updates)
        if portHangsUp { wire.unplug() } else { try await machine.unplug(device) }
        _ = try await next(.receiverLost, in: &updates)
    }

    @Test func whenNobodyAsksNothingIsOpened() async throws {
        let daemon = try await TestDaemon(receivers: [], discover: nil, launcher: machine.launcher)
        let device = try await byRules(MockedDevice("ttyACM0"))
        let wire = try Wire()
        try await machine.plug(device, wire: wire)
        try await eventually(daemon, has: ["u-blox 7 \(wire.path)"])
        #expect(try await receivers(of: daemon)[0].state == .stopped)
        let open = try await Program.run(
            "/bin/sh", ["-c", "ls -l /proc/\(daemon.program.processIdentifier)/fd"])
        #expect(open.output.contains("->"))
        #expect(!open.output.contains(wire.path))
    }

    @Test func aConverterIsUsedByItsSerialNumberOnly() async throws {
        var converter = MockedDevice(
            "ttyUSB0", id: "0403:6001", maker: "FTDI", name: "FT232R USB UART", serial: "A50285BI")
        converter = try await byRules(converter)
        let wire = try Wire()
        try await machine.plug(converter, wire: wire)
        let discovering = try await TestDaemon(receivers: [], discover: true, launcher: machine.launcher)
        #expect(try await receivers(of: discovering).isEmpty)
        try await discovering.kill()

        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"usb:A50285BI@4800\"\nname = \"mast\"\n",
            discover: nil, launcher: machine.launcher)
        try await daemon.grantSelf()
        try await eventually(daemon, has: ["mast \(wire.path)"])
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await sendFixes(wire, to: daemon)
        _ = try await next(.location, in: &updates)
        wire.unplug()
        try await machine.unplug(converter)
        _ = try await next(.receiverLost, in: &updates)
        let table = try await daemon.ctl("receivers")
        #expect(table.output.contains("lost"), "\(table.output)")

        // Another device gets the same node.
        let (otherWire, newWire) = (try Wire(), try Wire())
        let other = MockedDevice("ttyUSB0", id: "0403:6001", maker: "FTDI", name: "FT232R USB UART", serial: "A50285BJ")
        try await machine.plug(byRules(other), wire: otherWire)
        converter.node = "ttyUSB5"
        converter.socket = 3
        converter = try await byRules(converter)
        try await machine.plug(converter, wire: newWire)
        try await found(newWire, by: daemon, first: 1000, in: &updates)
        try await eventually(daemon, has: ["mast \(newWire.path)"])
    }

    @Test func configuredOnesComeFirstAndAreNotUsedTwice() async throws {
        let device = try await byRules(MockedDevice("ttyACM0"))
        let link = try #require(device.properties["DEVLINKS"]?.split(separator: " ").first { $0.contains("by-id") })
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"serial:\(link)\"\nname = \"deck\"\n",
            discover: true, launcher: machine.launcher)
        let wires = try (0..<3).map { _ in try Wire() }
        var second = MockedDevice("ttyACM1", id: "1546:01a8", name: "other", serial: "2")
        second.socket = 2
        try await machine.plug(byRules(second), wire: wires[0])
        try await eventually(daemon, has: ["deck \(link)", "u-blox 8 \(wires[0].path)"])
        try await machine.plug(device, wire: wires[1])
        var third = MockedDevice("ttyACM2", id: "1546:01a8", name: "other", serial: "3")
        third.socket = 3
        try await machine.plug(byRules(third), wire: wires[2])
        try await eventually(daemon, has: ["deck \(link)", "u-blox 8 \(wires[0].path)", "u-blox 8 2 \(wires[2].path)"])

        func reread(_ text: String) throws {
            try text.write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
            daemon.program.signal(SIGHUP)
        }
        try reread("discover = false\n[[receiver]]\nsource = \"serial:\(link)\"\nname = \"deck\"\n")
        try await eventually(daemon, has: ["deck \(link)"])
        // The configuration is empty.
        try reread("")
        try await eventually(
            daemon, has: ["u-blox 7 \(wires[1].path)", "u-blox 8 \(wires[0].path)", "u-blox 8 2 \(wires[2].path)"])
    }
}
