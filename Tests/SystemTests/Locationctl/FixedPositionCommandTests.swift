import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl fixed-position`, and the daemon that reads it.
@Suite(.timeLimit(.minutes(15))) struct FixedPositionCommandTests {
    private func fixedPosition(_ arguments: String..., folder: TemporaryFolder) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), ["fixed-position"] + arguments + ["--config-directory", folder.path])
    }

    @Test func aStatedPositionIsPrintedAndCleared() async throws {
        let folder = try TemporaryFolder()
        #expect(try await fixedPosition(folder: folder).output == "")
        #expect(try await fixedPosition("-33.9,18.4,25~3", folder: folder).status == 0)
        #expect(try await fixedPosition(folder: folder).output == "-33.9,18.4,25~3\n")
        #expect(try await fixedPosition("1,2", folder: folder).status == 0)
        #expect(try await fixedPosition(folder: folder).output == "1,2\n")
        #expect(try await fixedPosition("--clear", folder: folder).status == 0)
        #expect(try await fixedPosition(folder: folder).output == "")
        #expect(try await fixedPosition("--clear", folder: folder).status == 0)
    }

    @Test func aMistakeIsExplainedAndChangesNothing() async throws {
        let folder = try TemporaryFolder()
        #expect(try await fixedPosition("1,2", folder: folder).status == 0)
        let result = try await fixedPosition("91,2", folder: folder)
        #expect(result.status == 2)
        #expect(result.errors.contains("\"91\" is not a latitude in degrees"), "\(result.errors)")
        #expect(try await fixedPosition(folder: folder).output == "1,2\n")
        #expect(try await fixedPosition("3,4", "--clear", folder: folder).status == 2)
    }

    /// Attack: a program without a grant reads the position from the configuration.
    @Test func othersCannotReadTheFile() async throws {
        let folder = try TemporaryFolder()
        #expect(try await fixedPosition("1,2", folder: folder).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/conf.d/place.toml")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func theDaemonReportsIt() async throws {
        let daemon = try await TestDaemon(receivers: [], configuration: "")
        let folder = (daemon.configuration as NSString).deletingLastPathComponent
        let written = try await daemon.ctl("fixed-position", "48.13743,11.57549,520~5", "--config-directory", folder)
        #expect(written.status == 0, "\(written.errors)")
        daemon.program.signal(SIGHUP)
        try await eventually("the place") {
            try await daemon.call(ListReceivers.self, .init()).receivers.map(\.name) == ["fixed"]
        }
        try await daemon.grantSelf()
        let location = try await daemon.call(GetLocation.self, .init(timeout: 60)).location
        #expect(location.latitude == 48.13743 && location.longitude == 11.57549)
        #expect(location.horizontalAccuracy == 5 && location.altitude == 520)
        #expect(location.speed == nil && location.course == nil)
        #expect(location.receiver == "fixed" && !location.simulated)
    }
}
