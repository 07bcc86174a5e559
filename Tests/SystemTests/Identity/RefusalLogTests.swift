import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The log entries for programs that cannot be identified.
@Suite(.timeLimit(.minutes(15))) struct RefusalLogTests {
    /// Attack: a program whose file was deleted connects again and again. Each refusal used to add a line to the log.
    @Test func aProgramThatCannotBeIdentifiedDoesNotFloodTheLog() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let program = daemon.folder.path + "/deleted"
        try await Program.copy("/usr/bin/python3", to: program)
        let script = Program.script("Varlink/deleted_program")
        let result = try await Program.run(
            program, ["-I", "-S", "-c", script, program, daemon.runtime + "/" + LocationInterface.name])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await daemon.call(GetStatistics.self, Nothing()).statistics.refused == 500)
        // One line at once, and another one for each minute that passed. There is a second reason if the daemon is held
        // up for a second while it looks at the program.
        let lines = daemon.log.split(whereSeparator: \.isNewline).filter { $0.contains("refused a connection") }
        for reason in ["its executable was replaced or deleted", "does not answer"] {
            let repeated = lines.count { $0.contains(reason) && $0.contains("more like it") }
            #expect(lines.count { $0.contains(reason) } <= 1 + repeated, "\(lines)")
        }
        #expect(lines.contains { $0.contains("its executable was replaced or deleted") })
        #expect(lines.count < 10)
    }
}
