import LocationModel
import LocationProtocol
import TestSupport

extension TestDaemon {
    /// Starts a daemon with a stationary device, a hundred times as fast as time passes, with a grant for this
    /// process's own regions.
    static func standingStill() async throws -> TestDaemon {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(36_000, at: 0)
        let daemon = try await TestDaemon(
            receivers: ["replay:\(try track.write(to: folder, as: "still.nmea"))@100"], folder: folder)
        _ = try await daemon.call(Grant.self, .init(app: try await daemon.ownApp(), level: .always))
        return daemon
    }
}
