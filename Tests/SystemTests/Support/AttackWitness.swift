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
        try attack.folder.write(Self.module(fixes: fixes), to: "witness.py")
        program = try RunningProgram(attack.granted, ["-c", Self.script], environment: attack.environment)
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

    private static func module(fixes: String) -> String {
        """
        import time
        FIXES = "\(fixes)"

        # Waits until the client with a grant has received some more fixes.
        def fixes_go_by(count=3):
            written = lambda: open(FIXES).read().count("\\n")
            before = written()
            while written() < before + count:
                time.sleep(0.01)
        """
    }

    private static let script = """
        from attack import *
        from witness import FIXES
        connection = connect()
        send(connection, "Subscribe", more=True)
        with open(FIXES, "a", buffering=1) as file:
            while (word := receive(connection)) != "closed":
                if word == "location":
                    file.write("\\n")
        """
}
