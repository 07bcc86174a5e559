import CLinux
import Devices
import Foundation
import Glibc
import LocationModel
import NMEA
import TestSupport
import Testing

@testable import Receivers

struct SerialTransportTests {
    @Test func everyEpochIsOneFixWithTheReceiversName() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            let journey = Journey(count: 20)
            // The port has room for an epoch once the one before it was read. So each is sent in one piece: a pause
            // within a sentence would damage it.
            for (index, epoch) in journey.epochs.enumerated() {
                try await wire.send(epoch)
                try await probe.wait(for: "fix \(index + 1)") { $0.fixes(index + 1) }
            }
            let fixes = probe.fixes
            #expect(probe.events.contains(.found))
            #expect(fixes.map(\.location.timestamp) == journey.timestamps)
            #expect(Set(fixes.map(\.location.receiver)) == [String(wire.path.dropFirst("/dev/pts/".count))])
            #expect(Set(fixes.map(\.location.simulated)) == [true])
            let (state, satellites, rate, statistics) = try await probe.with {
                ($0.state, $0.status.satellites, $0.status.serialSettings?.bitsPerSecond, $0.status.statistics)
            }
            #expect(state == .running)
            #expect(satellites.count == 15)
            #expect(rate == 9600)
            #expect(statistics.fixes == 20)
            #expect(statistics.nmea?.checksumErrors == 0)
            #expect(statistics.nmea?.sentences == 200)
        }
    }

    @Test func aReceiverThatSendsFramesAloneIsFoundAndRead() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: nil)) { probe in
            try await probe.waitUntilOpen()
            var hardware = Payload(60)
            hardware.set(22, UInt8(2 << 2))
            hardware.set(45, UInt8(90))
            var time = 0
            // Bytes that arrive right after a change of the settings do not count.
            let fixes = try await probe.wait(for: "4 fixes") { events in
                let position = NavigationPosition()
                    .with(\.second, UInt8(time % 60)).with(\.minute, UInt8(time / 60 % 60))
                time += 1
                wire.offer(position.frame + ubx(0x0A_09, hardware.bytes))
                return events.fixes(4)
            }
            #expect(fixes.allSatisfy { $0.location.horizontalAccuracy == 1.234 && $0.location.speedAccuracy == 0.321 })
            let (settings, jamming) = try await probe.with { ($0.status.serialSettings, $0.status.jamming) }
            #expect(settings != nil)
            #expect(jamming == Jamming(level: .warning, indicator: 90))
            try await probe.stop()
            #expect(try await probe.with { $0.status.jamming } == nil)
        }
    }

    @Test func aSingleEpochIsGivenWhenTheWireFallsSilent() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
        }
    }

    @Test func garbageBinaryAndDamageAreSkipped() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 115_200)) { probe in
            var random = SeededRandom(seed: 7)
            let journey = Journey(count: 10)
            for epoch in journey.epochs {
                try await wire.send((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })
                try await wire.send("\r\n$GPGGA,,,*00\r\n$" + String(repeating: "x", count: 5000) + "\r\n")
                try await wire.send(epoch)
            }
            let fixes = try await probe.wait(for: "10 fixes") { $0.fixes(10) }
            #expect(fixes.map(\.location.timestamp) == journey.timestamps)
        }
    }

    @Test func aReceiverThatIsUnpluggedIsLostAtOnceAndFoundAgainUnderTheSameName() async throws {
        let directory = try TemporaryFolder()
        let path = directory.path + "/gps"
        let wire = try Wire()
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: wire.path)
        try await withReceiver(.serial(path: path, baudRate: 9600)) { probe in
            let journey = Journey(count: 40)
            try await wire.send(journey.epochs[0..<20].joined())
            _ = try await probe.wait(for: "20 fixes") { $0.fixes(20) }
            probe.forget()

            wire.unplug()
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected || failure.reason == .missing)
            #expect(failure.message.contains(path))

            let other = try Wire()
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other.path)
            try await probe.waitUntilOpen()
            try await other.send(journey.epochs[20...].joined())
            let events = try await probe.wait(for: "20 more fixes") { $0.fixes(20) == nil ? nil : $0 }
            #expect(events.contains(.found))
            #expect(events.compactMap(\.fix).map(\.location.timestamp) == Array(journey.timestamps[20...]))
            let last = try await probe.with { $0.lastFailure }
            #expect(last?.reason == .disconnected || last?.reason == .missing)
        }
    }

    @Test func aPortThatAnotherProgramHoldsIsBusyAndSaysWhoHoldsIt() async throws {
        let wire = try Wire()
        let held = tty_open(wire.path, 9600)
        #expect(held >= 0)
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .busy)
            #expect(failure.message.contains(wire.path))
            #expect(failure.message.contains("(process \(getpid()))"))
            // A retry finds the port free again.
            tty_release(held)
            close(held)
            try await probe.waitUntilOpen()
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
        }
    }

    @Test func whileItIsOpenNobodyElseGetsThePortAndAfterwardsItIsClosed() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            #expect(tty_open(wire.path, 9600) == -EBUSY)

            try await probe.stop()
            // A process that another test starts has copies of all descriptors until its execve(2), and with them the
            // lock of the port.
            var descriptor: CInt = -1
            try await eventually("the port") {
                descriptor = tty_open(wire.path, 9600)
                return descriptor >= 0
            }
            tty_release(descriptor)
            close(descriptor)
            let (state, satellites) = try await probe.with { ($0.state, $0.status.satellites) }
            #expect(state == .stopped)
            #expect(satellites.isEmpty)
        }
    }

    @Test func theHandlerMayStopTheReceiverFromWithin() async throws {
        let wire = try Wire()
        let probe = try await ReceiverProbe(.serial(path: wire.path, baudRate: 9600))
        try await probe.start(stoppingAt: { $0.fix != nil })
        try await wire.send(Journey(count: 10).bytes)
        _ = try await probe.waitForFix()
        let state = try await probe.with { receiver in
            receiver.delegate = nil
            return receiver.state
        }
        #expect(state == .stopped)
        #expect(probe.fixes.count == 1)
        try await probe.shutDown()
    }

    @Test(arguments: [
        ("/dev/no-such-port", ReceiverFailure.Reason.missing, "is not there"),
        ("/dev/null", .unusable, "is not a serial port"),
        ("/tmp", .unusable, "is not a serial port"),
    ])
    func unusablePortsAreReported(path: String, reason: ReceiverFailure.Reason, text: String) async throws {
        try await withReceiver(.serial(path: path, baudRate: 9600)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == reason)
            #expect(failure.message.contains(path))
            #expect(failure.message.contains(text))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may open everything"))
    func aPortThatItMayNotOpen() async throws {
        let wire = try Wire()
        chmod(wire.path, 0)
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .notPermitted)
            #expect(failure.message.contains("mode 0000"))
        }
    }

    @Test func aPermissionErrorNamesTheGroup() {
        let dialout = DeviceAccess(owner: "root", group: "dialout", mode: 0o660)
        #expect(
            ReceiverFailure.notPermitted("/dev/ttyACM0", access: dialout) == """
                not permitted to open /dev/ttyACM0: add the user that locationd runs as to the group dialout \
                (owner root, group dialout, mode 0660)
                """)
        let closed = DeviceAccess(owner: "root", group: "root", mode: 0o600)
        #expect(
            ReceiverFailure.notPermitted("/dev/ttyACM0", access: closed) == """
                not permitted to open /dev/ttyACM0, to which no group has access: add a udev rule, for example with \
                GROUP="dialout", MODE="0660" (owner root, group root, mode 0600)
                """)
    }
}
