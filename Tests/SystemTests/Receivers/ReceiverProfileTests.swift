import Foundation
import TestSupport
import Testing

/// The daemon with emulated receivers. The libraries of others parse each frame in both directions.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: ProcessInfo.processInfo.environment["VARLINK_PYTHON"]?.isEmpty == false))
struct ReceiverProfileTests {
    /// The cases of Tests/Receivers that wait little.
    @Test(arguments: ["all_settings", "killed", "hostile", "untouched"])
    func receiversAreSetAndPutBack(name: String) async throws {
        let python = try #require(ProcessInfo.processInfo.environment["VARLINK_PYTHON"])
        let result = try await Program.run(
            python, ["-B", Project.folder + "/Tests/Receivers", Program.folder.path(percentEncoded: false), name])
        #expect(result.lines.first?.hasPrefix("ok \(name)") == true, "\(result.lines) \(result.errors)")
    }
}
