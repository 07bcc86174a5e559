import Foundation

/// A double of NetworkManager on a bus. `Servers/network_manager.py` describes how it differs from the real one.
package final class NetworkManagerDouble: Sendable {
    package static var isPossible: Bool { BlueZDouble.isPossible }

    /// An access point.
    package struct AccessPoint: Encodable {
        package let address: String
        package let strength: Int
        package let name: String

        package init(_ address: String, strength: Int = 70, name: String = "network") {
            (self.address, self.strength, self.name) = (address, strength, name)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(address)
            try container.encode(strength)
            try container.encode(name)
        }
    }

    private struct State: Encodable {
        let heard: [AccessPoint]?
        let own: String?
        let gateway: String?
        var speed: Int?
    }

    private let program: RunningProgram
    private let input: ProgramPipe

    /// Starts it, and waits until it has its name.
    package init(on bus: PrivateBus) async throws {
        input = try ProgramPipe()
        program = try RunningProgram(
            "/usr/bin/python3", ["-c", Program.script("Servers/network_manager")],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], input: input.readEnd.fileDescriptor)
        try await eventually("NetworkManager: \(program.output)\(program.errors)") { program.lines.contains("ready") }
    }

    /// The number of times that its objects were read.
    package var readings: Int { program.lines.reversed().lazy.compactMap { Int($0) }.first ?? 0 }

    /// The number of scans that it was asked for.
    package var scans: Int { program.lines.count { $0 == "scan" } }

    /// Changes what the devices hear and are connected to. `nil` changes nothing.
    package func set(heard: [AccessPoint]? = nil, own: String? = nil, gateway: String? = nil) throws {
        try send(State(heard: heard, own: own, gateway: gateway))
    }

    /// Changes the speed of the connection and the like, which says nothing about the surroundings.
    package func setSpeed() throws { try send(State(heard: nil, own: nil, gateway: nil, speed: 1)) }

    private func send(_ state: State) throws {
        try input.write(String(decoding: JSONEncoder().encode(state), as: UTF8.self) + "\n")
    }

    /// Waits until the objects were read this many times.
    package func waitForReadings(_ count: Int) async throws {
        try await eventually("\(count) readings: \(program.output)\(program.errors)") { readings >= count }
    }

    /// Ends it as a crash would.
    package func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.end()
    }
}
