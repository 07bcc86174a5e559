import Foundation
import TestSupport
import Testing

/// The unit files, checked by systemd itself.
@Suite(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "needs systemd-analyze"))
struct UnitFilesTests {
    private let folder = URL(filePath: #filePath).appending(path: "../../../systemd").standardized

    /// Returns the units with paths of existing programs, those of this build.
    private func units() throws -> (folder: TemporaryFolder, files: [String]) {
        let temporary = try TemporaryFolder()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".service") || $0.hasSuffix(".socket") }
        for name in names {
            var text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for program in ["/usr/sbin/locationd", "/usr/libexec/locationd-peers"] {
                text.replace(
                    "ExecStart=\(program)",
                    with: "ExecStart=\(Program.path(String(program.split(separator: "/").last!)))")
            }
            try text.write(toFile: "\(temporary.path)/\(name)", atomically: true, encoding: .utf8)
        }
        return (temporary, names.map { "\(temporary.path)/\($0)" })
    }

    @Test func nothingIsWrong() async throws {
        let (folder, files) = try units()
        #expect(files.count == 5)
        // The manual pages are not installed where the tests run.
        let result = try await Program.run("/usr/bin/systemd-analyze", ["verify", "--man=no"] + files)
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
        withExtendedLifetime(folder) {}
    }

    /// The exposure ranges from 0, completely sandboxed, to 10.
    @Test(arguments: [("locationd.service", 1.5), ("locationd-peers.service", 2.0)])
    func theSandbox(_ unit: String, _ greatestExposure: Double) async throws {
        let (folder, _) = try units()
        let result = try await Program.run(
            "/usr/bin/systemd-analyze",
            [
                "security", "--offline=true", "--no-pager", "--threshold=\(Int((greatestExposure * 10).rounded()))",
                "\(folder.path)/\(unit)",
            ])
        #expect(result.status == 0, "\(result.lines.last ?? "") \(result.errors)")
    }

    /// Settings that the units rely on and that no tool checks.
    @Test func theSocketsOfTheDesign() throws {
        func unit(_ name: String) throws -> [String] {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(
                String.init)
        }
        #expect(
            Set(try unit("locationd.socket")).isSuperset(of: [
                "ListenStream=/run/locationd/io.locationd.Location", "FileDescriptorName=io.locationd.Location",
                "SocketMode=0666", "Service=locationd.service",
            ]))
        #expect(
            Set(try unit("locationd-manage.socket")).isSuperset(of: [
                "ListenStream=/run/locationd-manage/io.locationd.Manage", "FileDescriptorName=io.locationd.Manage",
                "SocketMode=0660", "SocketGroup=locationd", "Service=locationd.service",
            ]))
        #expect(
            Set(try unit("locationd-peers.socket")).isSuperset(of: [
                "ListenSequentialPacket=/run/locationd-peers/socket", "SocketUser=locationd", "SocketMode=0600",
            ]))
        #expect(try unit("locationd.service").contains("Environment=LOCATIOND_PEERS=/run/locationd-peers/socket"))
    }
}
