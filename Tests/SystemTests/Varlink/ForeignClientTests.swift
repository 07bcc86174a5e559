import Foundation
import LocationProtocol
import TestSupport
import Testing

/// A client by other authors: PyPI's varlink.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: ProcessInfo.processInfo.environment["VARLINK_PYTHON"]?.isEmpty == false))
struct ForeignClientTests {
    @Test func itReadsTheInterfacesAndGetsLocations() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let python = try #require(ProcessInfo.processInfo.environment["VARLINK_PYTHON"])
        let script = Program.script("Varlink/foreign_client")
        let result = try await Program.run(python, ["-c", script, daemon.runtime])
        #expect(
            result.lines == [
                "locationd", "io.locationd.Location.NotAuthorized notDetermined", "authorizedWhenInUse", "3",
                "simulated",
            ], "\(result.errors)")
    }
}
