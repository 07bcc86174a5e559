import Bus
import EventLoopSupport
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Surroundings

private let isMockPossible: Bool = {
    guard PrivateBus.isInstalled, let check = try? RunningProgram("/usr/bin/python3", ["-c", "import dbusmock"])
    else { return false }
    return check.waitUntilEnd() == 0
}()

/// The area of the serving cell, from ModemManager as python-dbusmock imitates it: `Servers/modem_manager.py`.
@Suite(.timeLimit(.minutes(15)), .enabled(if: isMockPossible, "needs dbus-daemon and python3-dbusmock"))
struct ServingCellTests {
    private static let hash = EmitterHash(secret: Array(0..<32))

    /// The parts that are confined to the loop.
    private final class Parts {
        let bus: Bus
        let poller: DescriptorPoller
        let cell: ServingCell
        private(set) var areas: [UInt64?] = []
        /// The number of readings without an answer.
        private(set) var waiting = 0

        init(_ address: String, on loop: any EventLoop) throws {
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            cell = ServingCell(ServingCellTests.hash, bus: bus)
            cell.start()
        }

        func read() {
            waiting += 1
            cell.read { [unowned self] in
                waiting -= 1
                areas.append($0)
            }
        }

        func stop() {
            cell.stop()
            bus.stop()
            poller.stop()
        }
    }

    /// The network and the area, without the cell itself, which changes without movement. Then answers without a cell:
    /// sentences alone, sentences in its place, and other values.
    @Test(arguments: ["cell", "plain", "wrong", "other"]) func theAreaIsRead(answer: String) async throws {
        let bus = try await PrivateBus()
        let modems = #"[{"imei": "867698040000001"}, {"capabilities": 1, "answer": "\#(answer)"}]"#
        let program = try RunningProgram(
            "/usr/bin/python3",
            [
                "-m", "dbusmock", "--template", Project.folder + "/Tests/Support/Scripts/Servers/modem_manager.py",
                "--parameters", #"{"modems": \#(modems)}"#,
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PYTHONDONTWRITEBYTECODE": "1"])
        let (loop, address) = (MultiThreadedEventLoopGroup.singleton.next(), bus.address)
        let parts = try await loop.submit { NIOLoopBound(try Parts(address, on: loop), eventLoop: loop) }.get()
        // ModemManager is found after some readings.
        try await eventually("a call: \(program.output.suffix(2000))\(program.errors)") {
            try await loop.submit { parts.value.read() }.get()
            return program.lines.contains { $0.hasSuffix(" GetLocation") }
        }
        try await eventually("the answer") { try await loop.submit { parts.value.waiting == 0 }.get() }
        let areas = try await loop.submit { parts.value.areas.compactMap(\.self) }.get()
        #expect(Set(areas) == (answer == "cell" ? [Self.hash.area("262,01,84CD,9C40")] : []))
        try await loop.submit { parts.value.stop() }.get()
    }
}
