import Foundation
import LocationProtocol
import TestSupport
import Testing

/// A program on the bus that attacks a daemon: `Servers/hostile_bus_peer.py`. It runs as the user nobody, if possible.
final class HostileBusPeer {
    private let program: RunningProgram
    private let input: ProgramPipe

    init(of daemon: TestDaemon, on bus: PrivateBus) throws {
        input = try ProgramPipe()
        let launcher = Attack.isRoot ? Attack.asNobody : ["/usr/bin/env"]
        program = try RunningProgram(
            launcher[0],
            launcher.dropFirst() + [
                "/usr/bin/python3", "-c", Program.script("Servers/hostile_bus_peer"),
                "\(daemon.program.processIdentifier)",
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], input: input.readEnd.fileDescriptor)
    }

    /// Its output.
    var output: String { program.output + program.errors }

    /// Returns the number of the daemon's connections to the bus.
    func countConnections() async throws -> Int {
        try #require(try await make("count").split(separator: " ").last.flatMap { Int($0) })
    }

    /// Makes an attack, and returns its last output.
    @discardableResult func make(_ attack: String) async throws -> String {
        let count = program.lines.count
        try input.write(attack + "\n")
        try await eventually("the end of \(attack): \(output)") { program.lines.count > count }
        return program.lines.last ?? ""
    }
}

extension TestDaemon {
    /// Waits until a receiver has produced this many more fixes.
    func waitForFixes(_ count: Int = 3, of name: String) async throws {
        func fixes() async throws -> Int {
            try await call(ListReceivers.self, .init()).receivers.first { $0.name == name }?.fixes ?? 0
        }
        let before = try await fixes()
        try await eventually("fixes of \(name): \(log)") { try await fixes() >= before + count }
    }

    /// The number of descriptors that the daemon has open.
    var descriptors: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processIdentifier)/fd").count
        }
    }

    /// The memory of the daemon that is no file's, in bytes.
    var memory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(program.processIdentifier)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
        }
    }
}
