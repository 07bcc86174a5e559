import Foundation
import TestSupport

/// A machine mocked by umockdev, into which devices are plugged while the daemon runs on it.
final class MockedMachine {
    /// The script that runs umockdev's testbed, whose library has no bindings for Swift.
    private static let script = """
        import ctypes, os, sys
        library = ctypes.CDLL("libumockdev.so.0")
        testbed, text = ctypes.c_void_p, ctypes.c_char_p
        def function(name, result, *arguments):
            found = getattr(library, "umockdev_testbed_" + name)
            found.restype, found.argtypes = result, arguments
            return found
        add = function("add_from_string", ctypes.c_int, testbed, text, ctypes.c_void_p)
        event = function("uevent", None, testbed, text, text)
        remove = function("remove_device", None, testbed, text)
        machine = function("new", testbed)()
        root = function("get_root_dir", text, testbed)(machine).decode()
        # Answers the ioctls on every device, and knows none of a terminal's.
        os.remove(root + "/ioctl/_default")
        print(root, flush=True)
        for line in sys.stdin:
            verb, path, *rest = line.rstrip("\\n").split("\\t")
            if verb == "plug":
                file, = rest
                # Parents come last in a description, and may be there already, with other devices below them.
                for block in reversed(open(file).read().split("\\n\\n")):
                    if os.path.exists(root + "/sys" + block.split("\\n")[0][3:]): continue
                    if not add(machine, block.encode(), None): sys.exit("umockdev does not take the device")
                event(machine, path.encode(), b"add")
            else:
                event(machine, path.encode(), b"remove")
                remove(machine, path.encode())
            print("done", flush=True)
        """

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
