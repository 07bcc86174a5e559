import CLinux
import Foundation

/// A running `locationctl agent`.
final class RunningAgent {
    private let process = Process()
    private let folder: TemporaryFolder
    var output: String { (try? String(contentsOfFile: folder.path + "/out", encoding: .utf8)) ?? "" }
    var hasEnded: Bool { process.exitStatus != nil }
    var status: Int32 { process.exitStatus ?? -1 }

    /// With its output in a file.
    init(_ runtime: String, input: FileHandle, _ environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: folder.path + "/out", contents: nil)
        try start(runtime, input, FileHandle(forWritingAtPath: folder.path + "/out"), environment)
    }

    init(_ runtime: String, terminal: PseudoTerminal, _ environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        try start(runtime, terminal.slave, terminal.slave, environment)
    }

    deinit { if process.isRunning { process.terminate() } }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    private func start(
        _ runtime: String, _ input: FileHandle, _ output: FileHandle?, _ environment: [String: String]
    ) throws {
        process.executableURL = URL(filePath: Program.path("locationctl"))
        process.arguments = ["agent", "--runtime-directory", runtime]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        // A child inherits the signals that this thread blocks, and would not hear SIGTERM.
        var blocked = sigset_t()
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }
}

/// A terminal whose screen is a text with everything that was written to it.
final class PseudoTerminal {
    let slave: FileHandle
    private let master: Int32
    private var bytes: [UInt8] = []

    init(columns: UInt16, rows: UInt16) throws {
        var path = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        master = pty_open(&path)
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard master >= 0, let slave = FileHandle(forUpdatingAtPath: name) else {
            throw POSIXError(.ENXIO)
        }
        self.slave = slave
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave.fileDescriptor, UInt(TIOCSWINSZ), &size)
        // As a login shell has it.
        var attributes = attributes
        attributes.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
        attributes.c_iflag |= tcflag_t(ICRNL)
        _ = tcsetattr(slave.fileDescriptor, TCSANOW, &attributes)
    }

    deinit { close(master) }

    var attributes: termios {
        var attributes = termios()
        tcgetattr(slave.fileDescriptor, &attributes)
        return attributes
    }

    /// What was written so far. The master does not wait.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func type(_ keys: String) {
        let keys = Array(keys.utf8)
        _ = write(master, keys, keys.count)
    }
}
