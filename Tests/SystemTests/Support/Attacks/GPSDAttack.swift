import Foundation
import TestSupport

/// An ``Attack`` on the TCP port for clients of gpsd, with an app that gets each fix meanwhile.
final class GPSDAttack {
    let attack: Attack
    private let port: ReservedPort
    private let witness: AttackWitness

    init() async throws {
        port = try ReservedPort()
        attack = try await Attack(configuration: GPSDFrontDaemon.configuration(port: port.number))
        let places = "PORT, GPSD = \(port.number), \"\(attack.daemon.runtime)/gpsd\"\n"
        try attack.folder.write(places + Program.script("Attack/gpsd_attack"), to: "gpsd_attack.py")
        witness = try await AttackWitness(of: attack)
    }

    /// Waits until the app with a grant has received some more fixes.
    func waitForFixes() async throws { try await witness.waitForFixes() }

    /// Runs a script to its end, and returns the lines that it printed.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        try await attack.run("from gpsd_attack import *\n" + script, as: program, through: launcher)
    }

    /// Starts a script, which runs until it is ended.
    func start(_ script: String, as program: String) throws -> RunningProgram {
        try RunningProgram(
            program, ["-c", "from gpsd_attack import *\n" + script], environment: attack.environment)
    }
}
