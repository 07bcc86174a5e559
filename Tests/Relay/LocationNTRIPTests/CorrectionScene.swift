import Foundation
import LocationProtocol
import TestSupport
import Testing

/// The real program, with a caster by script, and with the test in the place of the daemon.
final class CorrectionScene {
    /// The caster's plan: Tests/Support/Scripts/Servers/ntrip_caster.py.
    struct Plan: Encodable {
        var answer: String
        var table: String?
        var split = false
        var `repeat`: String?
        var closes = false
        var certificate: String?
        var key: String?

        /// - Parameter answer: The answer's head, and the bytes after it.
        init(_ head: String, _ body: [UInt8] = []) { answer = Self.digits(Array(head.utf8) + body) }

        static func digits(_ bytes: [UInt8]) -> String {
            bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        }
    }

    let folder: TemporaryFolder
    /// The address of the caster, without a mount point.
    let address: String
    let caster: RunningProgram
    let program: RunningProgram
    private let listener: Listener
    private var daemon: RawSocket?
    /// The bytes that the daemon has received, after the first line.
    var received: [UInt8] { Array(bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()) }
    /// The first line, with the receiver's name.
    var receiver: String { String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    private var bytes: [UInt8] = []

    /// Starts both.
    ///
    /// - Parameters:
    ///   - configuration: The keys besides `caster`, or with it, if they have one.
    ///   - credentials: The files of the credentials.
    init(
        _ plan: Plan, scheme: String = "ntrip", mount: String = "/BASE",
        configuration: String = "position = \"none\"\n",
        credentials: [String: String] = [:], in folder: TemporaryFolder? = nil
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let port = try ReservedPort()
        address = "\(scheme)://127.0.0.1:\(port.number)"
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        let caster = try RunningProgram(
            "/usr/bin/python3", ["-c", Program.script("Servers/ntrip_caster"), "\(port.number)", text])
        self.caster = caster
        try await eventually("the caster: \(caster.errors)") { caster.lines.contains("listening") }
        listener = try Listener(CorrectionsSocket.path(in: folder.path))
        let file = try folder.write(
            "caster = \"\(address)\(mount)\"\n\(configuration)", to: "base.toml")
        for (name, text) in credentials { try folder.write(text, to: name) }
        program = try RunningProgram(
            Program.path("locationd-ntrip"), ["--config", file, "--log-level", "debug"],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": folder.path, "CREDENTIALS_DIRECTORY": folder.path])
    }

    /// The requests that the caster has received.
    var requests: [String] { caster.lines.filter { $0.hasPrefix("request ") } }

    /// Says whether corrections are needed, as the daemon does.
    func need(_ isNeeded: Bool) async throws { try await report(isNeeded ? .needed : .unneeded) }

    /// Reports a need, as the daemon does.
    func report(_ need: CorrectionsSocket.Need) async throws {
        if daemon == nil {
            try await eventually("a connection: \(program.errors)") { listener.hasPendingConnection }
            daemon = RawSocket(owning: accept(listener.descriptor, nil, nil))
        }
        daemon?.send(need.bytes)
    }

    /// Waits until the daemon has received bytes that end with these.
    func wait(for bytes: [UInt8]) async throws {
        try await eventually("corrections; \(received.count) bytes were received: \(program.errors)") {
            read()
            return received.suffix(bytes.count) == bytes[...]
        }
    }

    func read() {
        guard let daemon else { return }
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(daemon.descriptor, &part, part.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { return }
            bytes += part[..<count]
        }
    }

    func waitForLog(_ text: String) async throws {
        try await eventually("\(text) in the log: \(program.errors)") { program.errors.contains(text) }
    }

    /// The greatest memory of the program so far, in kilobytes.
    var peakMemory: Int {
        let status = try? String(contentsOfFile: "/proc/\(program.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? .max
    }
}
