import Foundation
import TestSupport

/// A process of an attack's granted app that receives each fix, so that a script knows which fixes went past it.
final class AttackWitness {
    private let attack: Attack
    /// The path of a file with a line for each fix.
    private let fixes: String
    private let program: RunningProgram

    /// Starts the process, and gives the attack's scripts the module `witness`.
    init(of attack: Attack) async throws {
        self.attack = attack
        fixes = try attack.folder.write("", to: "fixes")
        try attack.folder.write("FIXES = \"\(fixes)\"\n" + Program.script("Attack/witness"), to: "witness.py")
        program = try RunningProgram(
            attack.granted, ["-c", Program.script("Attack/witness_app")], environment: attack.environment)
        try await waitForFixes(1)
    }

    /// Waits until the process has received some more fixes.
    func waitForFixes(_ count: Int = 3) async throws {
        func received() throws -> Int { try String(contentsOfFile: fixes, encoding: .utf8).count { $0 == "\n" } }
        let before = try received()
        try await eventually("fixes: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "fixes: \(program.errors)") }
            return try received() >= before + count
        }
    }
}
