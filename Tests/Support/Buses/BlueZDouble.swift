import Foundation

/// A double of BlueZ on a bus. `Servers/bluez.py`, and `Servers/bluez_adapters.py` for discovery, describe how it differs
/// from the real one.
package final class BlueZDouble: Sendable {
    package static let isPossible: Bool = {
        guard PrivateBus.isInstalled, access("/usr/bin/python3", X_OK) == 0 else { return false }
        let test = try? RunningProgram("/usr/bin/python3", ["-c", "from gi.repository import Gio"])
        return test?.waitUntilEnd() == 0
    }()

    /// The address of its device, and of the second one if it has two.
    package static let address = "10:C6:FC:12:34:56"
    package static let secondAddress = "10:C6:FC:12:34:57"

    private let program: RunningProgram
    private let input: ProgramPipe

    /// Starts it, and waits until it has its name.
    ///
    /// - Parameters:
    ///   - state: The differences from a paired device with the serial port profile, as JSON.
    ///   - script: The double.
    package init(on bus: PrivateBus, _ state: String = "{}", script: String = "Servers/bluez") async throws {
        input = try ProgramPipe()
        program = try RunningProgram(
            "/usr/bin/python3", ["-c", Program.script(script), state],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], input: input.readEnd.fileDescriptor)
        try await wait(for: "ready")
    }

    /// The requests that it has received, except for its start.
    package var events: [String] { Array(program.lines.dropFirst()) }

    /// Waits until a line is there this many times.
    package func wait(for line: String, count: Int = 1) async throws {
        try await eventually("\(line) of BlueZ: \(program.output)\(program.errors)") {
            program.lines.filter { $0 == line }.count >= count
        }
    }

    /// Sends it a command.
    package func command(_ line: String) throws { try input.write(line + "\n") }

    /// Ends it as a crash would.
    package func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.end()
    }
}
