import Foundation
import TestSupport

/// One of the programs of Tests/Fixtures in a folder of its own, with an Info.plist beside it.
final class FixtureApp: Sendable {
    let folder: TemporaryFolder
    private let executable: String
    private let daemon: TestDaemon

    /// The daemon's name for the program.
    var app: String { "exe:\(executable)" }

    init(_ name: String, _ daemon: TestDaemon, texts: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        executable = folder.path + "/" + name
        self.daemon = daemon
        try await Program.copy(Program.path(name), to: executable)
        let plist = try PropertyListSerialization.data(fromPropertyList: texts, format: .xml, options: 0)
        try plist.write(to: URL(filePath: folder.path + "/Info.plist"))
    }

    func start(_ arguments: String..., environment more: [String: String] = [:]) throws -> RunningProgram {
        try RunningProgram(executable, arguments, environment: environment.merging(more) { $1 })
    }

    /// Starts the program as systemd does for a socket unit. The program is passed the socket at `path`, at first and
    /// then, whenever it has ended, as soon as a client connects to that socket.
    func startThroughSocket(_ path: String, _ arguments: String...) throws -> RunningProgram {
        let script = Program.script("ServiceManager/start_through_socket")
        return try RunningProgram(
            "/usr/bin/python3", ["-c", script, path, executable] + arguments, environment: environment)
    }

    private var environment: [String: String] {
        ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime, "XDG_STATE_HOME": folder.path + "/state"]
    }
}

extension RunningProgram {
    /// Waits until lines with these beginnings have been written in this order after the first `count` lines, with or
    /// without other lines between them. Returns the number of lines up to the last of them.
    @discardableResult
    func wait(for expected: String..., after count: Int = 0) async throws -> Int {
        var end = count
        func isThere() -> Bool {
            var rest = expected[...]
            end = count
            for line in lines.dropFirst(count) {
                guard let next = rest.first else { break }
                end += 1
                if line.hasPrefix(next) { rest = rest.dropFirst() }
            }
            return rest.isEmpty
        }
        do {
            try await eventually("\(expected)") { isThere() }
        } catch {
            throw Overdue(what: "\(expected) after \(count) lines of \(lines); \(errors)")
        }
        return end
    }
}
