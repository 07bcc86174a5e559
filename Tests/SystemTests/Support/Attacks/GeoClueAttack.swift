import Foundation
import TestSupport

/// An ``Attack`` on a daemon that has GeoClue's name on a system bus of its own.
final class GeoClueAttack {
    let attack: Attack
    private let bus: PrivateBus
    private let witness: AttackWitness
    /// The folder of the Python modules that talk to a bus.
    private static let modules = Project.folder + "/Tests/Clients"

    init(on bus: PrivateBus? = nil) async throws {
        let bus = if let bus { bus } else { try await PrivateBus.system() }
        self.bus = bus
        attack = try await Attack(
            launcher: GeoClueFrontDaemon.launcher(on: bus), configuration: GeoClueFrontDaemon.configuration)
        for module in ["sdbus.py", "geoclue_calls.py"] {
            try FileManager.default.copyItem(
                atPath: Self.modules + "/" + module, toPath: attack.folder.path + "/" + module)
        }
        try attack.folder.write(
            "ADDRESS = \"\(bus.address)\"\n" + Program.script("Attack/geoclue_attack"), to: "geoclue_attack.py")
        witness = try await AttackWitness(of: attack)
        try await bus.waitForOwner(of: GeoClue.name)
    }

    /// Runs a script to its end, and returns the lines that it printed.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        try await attack.run("from geoclue_attack import *\n" + script, as: program, through: launcher)
    }
}
