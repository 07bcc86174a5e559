import Foundation
import TestSupport
import Testing

/// The files that `make install` and the package install besides the programs.
@Suite(.timeLimit(.minutes(15))) struct InstalledFilesTests {
    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: ManualSource.project + "/" + file, encoding: .utf8)
    }

    /// The package and both programs have the same version.
    @Test(arguments: ["locationd", "locationctl"]) func thePackageHasTheVersionOf(program: String) async throws {
        let version = try await Program.run(Program.path(program), ["--version"]).lines.first
        let changelog = try #require(try text("debian/changelog").split(separator: "\n").first)
        #expect(changelog.hasPrefix("locationd (\(version ?? "none"))"), "\(changelog)")
    }

    @Test(arguments: ["locationd", "locationctl"]) func bashReadsTheCompletionOf(program: String) async throws {
        let script = try await Program.run(Program.path(program), ["--generate-completion-script", "bash"])
        #expect(script.output.contains("complete -o filenames -F _\(program) \(program)"))
        let folder = try TemporaryFolder()
        try script.output.write(toFile: folder.path + "/completion", atomically: true, encoding: .utf8)
        let result = try await Program.run("/bin/bash", ["-n", folder.path + "/completion"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
}
