import Foundation
import TestSupport

/// A machine mocked by umockdev, into which devices are plugged while the daemon runs on it.
final class MockedMachine {
    /// The script that runs umockdev's testbed, whose library has no bindings for Swift.
    private static let script = Program.script("Servers/mocked_machine")

    /// A command that becomes a program on this machine.
    var launcher: [String] { ["/usr/bin/env", "LD_PRELOAD=libumockdev-preload.so.0", "UMOCKDEV_DIR=\(root)"] }

    private let program: RunningProgram
    private let input: ProgramPipe
    private let folder: TemporaryFolder
    private let root: String

    init() async throws {
        folder = try TemporaryFolder()
        input = try ProgramPipe()
        program = try RunningProgram(
            "/usr/bin/python3", ["-c", Self.script],
            environment: ["LD_PRELOAD": "libumockdev-preload.so.0", "TMPDIR": folder.path],
            input: input.readEnd.fileDescriptor)
        root = try await Self.line(1, of: program)
    }

    /// Plugs in a device whose port is the given wire, and sends the event of udev.
    func plug(_ device: MockedDevice, wire: Wire) async throws {
        let file = folder.path + "/device"
        try device.description(at: wire).write(toFile: file, atomically: false, encoding: .utf8)
        try await command("plug\t/sys\(device.port)\t\(file)")
    }

    /// Unplugs a device, and sends the event of udev.
    func unplug(_ device: MockedDevice) async throws {
        try await command("unplug\t/sys\(device.port)")
    }

    /// Sends a command, and waits until it was carried out.
    private func command(_ command: String) async throws {
        let count = program.lines.count
        try input.write(command + "\n")
        _ = try await Self.line(count + 1, of: program)
    }

    /// Returns a line of the program's output, counted from 1, once it is there.
    private static func line(_ number: Int, of program: RunningProgram) async throws -> String {
        try await eventually("umockdev: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "umockdev, which ended: \(program.errors)") }
            return program.output.utf8.count { $0 == UInt8(ascii: "\n") } >= number
        }
        return program.lines[number - 1]
    }
}
