import Glibc
import TestSupport
import Testing

/// The entries of `locationctl` in the journal.
struct JournalTests {
    /// Attack: a user reads in the journal where others are. Dispatch logs that it may not raise the priority of a
    /// thread, and journald stores the command line with each entry. Which of them come depends on the threads, so the
    /// program is run ten times.
    @Test(.enabled(if: getuid() != 0 || PeersService.nobodyCanRunIt, "needs a build that others may run"))
    func attackTheJournalStoresTheCommandLine() async throws {
        let program = [Program.path("locationctl"), "receivers", "--runtime-directory", "/nonexistent"]
        let command = (getuid() == 0 ? Attack.asNobody : []) + program
        for _ in 0..<10 {
            let result = try await Program.run(
                command[0], Array(command.dropFirst()), environment: ["LIBDISPATCH_LOG": "stderr"])
            #expect(result.status == 3 && result.errors.hasPrefix("locationctl: no locationd"), "\(result.errors)")
        }
    }
}
