import Authorization
import Foundation
import LocationService
import Testing

@testable import LocationdCommand

/// What `make install` and the package bring besides the programs.
@Suite(.timeLimit(.minutes(3))) struct InstalledFilesTests {
    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: ManualSource.project + "/" + file, encoding: .utf8)
    }

    /// As it is, and with every key in it that is commented out.
    @Test func theInstalledConfigurationIsOne() throws {
        let installed = try text("etc/locationd.toml")
        let silent = try Configuration.parse(installed, file: "locationd.toml")
        #expect(silent.receiver == nil && silent.limits == nil && silent.restricted == nil && silent.logLevel == nil)

        // A key that is commented out begins right after its #, and a sentence after a space.
        let lines = installed.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
            .map { $0.dropFirst() }
        let whole = try Configuration.parse(lines.joined(separator: "\n"), file: "locationd.toml")
        #expect(whole.receiver?.count == 1 && whole.restricted?.count == 1)
        var table = ""
        var keys: Set<String> = []
        for line in lines {
            if line.hasPrefix("[[") {
                table = line.trimming { "[]".contains($0) } + "[]."
            } else if line.hasPrefix("[") {
                table = line.trimming { "[]".contains($0) } + "."
            } else if let key = line.split(separator: " ").first {
                keys.insert(table + key)
            }
        }
        #expect(keys == Set(LocationdCommand.KeyPath.allowed))
    }

    @Test func theManifestOfLocationctlIsOne() throws {
        let manifest = try TOMLText(try text("etc/locationctl.toml"), file: "locationctl.toml").decode(
            AppManifest.self, allowed: [])
        #expect(manifest.displayName == "locationctl")
        #expect(manifest.whenInUse != nil && manifest.always != nil)
    }

    /// The package, and both programs, have one version.
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

extension StringProtocol {
    fileprivate func trimming(_ unwanted: (Character) -> Bool) -> String {
        String(drop(while: unwanted).reversed().drop(while: unwanted).reversed())
    }
}
