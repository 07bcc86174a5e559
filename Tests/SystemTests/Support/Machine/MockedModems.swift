import Foundation
import TestSupport

/// ModemManager as python-dbusmock imitates it, for modems that no terminal can: `Servers/modem_manager.py`.
final class MockedModems {
    static let isPossible: Bool = {
        guard PrivateBus.isInstalled, access("/usr/bin/python3", X_OK) == 0 else { return false }
        return (try? RunningProgram("/usr/bin/python3", ["-c", "import dbusmock"]))?.waitUntilEnd() == 0
    }()

    let bus: PrivateBus
    private let folder: TemporaryFolder
    private let program: RunningProgram

    /// Starts it, and waits until it has its name.
    ///
    /// - Parameters:
    ///   - modems: The modems, as a list in JSON.
    ///   - isHeld: `true` if Setup is not answered before `release()`.
    init(_ modems: String, isHeld: Bool = false) async throws {
        folder = try TemporaryFolder()
        bus = try await PrivateBus()
        let hold = folder.path + "/hold"
        if isHeld { try folder.write("", to: "hold") }
        program = try RunningProgram(
            "/usr/bin/python3",
            [
                "-m", "dbusmock", "--template", Project.folder + "/Tests/Support/Scripts/Servers/modem_manager.py",
                "--parameters", #"{"modems": \#(modems), "hold": "\#(hold)"}"#,
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PYTHONDONTWRITEBYTECODE": "1"])
        try await bus.waitForOwner(of: "org.freedesktop.ModemManager1")
    }

    /// Has Setup answered.
    func release() throws { try folder.remove("hold") }

    /// Stops it: it answers nothing, and does not leave the bus.
    func halt() { program.signal(SIGSTOP) }

    /// Lets it go on.
    func resume() { program.signal(SIGCONT) }

    /// Returns how often a method was called: `Setup 5 False`, `GetLocation`.
    func count(of call: String) -> Int { program.lines.count { $0.hasSuffix(" " + call) } }

    /// Waits until a method was called this many more times.
    func wait(for call: String, count: Int = 1) async throws {
        let before = self.count(of: call)
        try await waitForTotal(before + count, of: call)
    }

    /// Waits until a method was called this many times in all.
    func waitForTotal(_ total: Int, of call: String) async throws {
        try await eventually("\(total) calls of \(call): \(program.output.suffix(2000))\(program.errors)") {
            count(of: call) >= total
        }
    }
}
