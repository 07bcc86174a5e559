import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A recording of a receiver's output, made and read by the real programs.
@Suite(.timeLimit(.minutes(15))) struct RecordCommandTests {
    private func decoded(_ path: String) async throws -> [(latitude: Double, longitude: Double, text: String)] {
        let result = try await Program.run(Program.path("locationctl"), ["decode", path])
        #expect(result.status == 0, "\(result.errors)")
        return try result.output.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let (latitude, longitude) = (object?["latitude"] as? Double, object?["longitude"] as? Double)
            return (try #require(latitude), try #require(longitude), String(line))
        }
    }

    @Test func aRecordingIsDecodedReportedAndPlayed() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        _ = try await daemon.ctl("grant", try await daemon.ctlApp())
        let folder = try TemporaryFolder()
        let (plain, shifted) = (folder.path + "/plain.rec", folder.path + "/shifted.rec")
        let first = try await daemon.ctl("record", plain, "--duration", "4")
        #expect(first.status == 0 && first.errors.contains("will contain where this machine is"), "\(first.errors)")
        let second = try await daemon.ctl("record", shifted, "--duration", "4", "--anonymous")
        #expect(second.status == 0 && second.errors.contains("no position"), "\(second.errors)")
        var status = stat()
        #expect(stat(plain, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // An existing file is not touched.
        let again = try await daemon.ctl("record", plain, "--duration", "1")
        #expect(again.status == 1 && again.errors.contains("File exists"))

        let fixes = try await decoded(plain)
        let moved = try await decoded(shifted)
        #expect(fixes.count >= 2 && moved.count >= 2)
        #expect(fixes.allSatisfy { abs($0.latitude - fixes[0].latitude) < 0.1 })
        #expect(abs(moved[0].latitude - fixes[0].latitude) > 0.1 || abs(moved[0].longitude - fixes[0].longitude) > 0.1)
        #expect(abs(moved[1].latitude - moved[0].latitude) < 0.01)
        let report = try await Program.run(
            Program.path("locationctl"), ["report", plain, "-o", folder.path + "/a.html"])
        #expect(report.status == 0, "\(report.errors)")

        let player = try await TestDaemon(receivers: ["replay:\(plain)"])
        _ = try await player.ctl("grant", try await player.ctlApp())
        let played = try await player.ctl("get", "--json")
        #expect(played.status == 0, "\(played.errors)")
    }

    /// Attack: an app without a grant, or with reduced accuracy, reads the position in the receiver's output; or it
    /// goes on doing so after its grant was reduced or revoked.
    @Test func onlyFullAccuracyGetsTheBytes() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        func grant(_ accuracy: AccuracyAuthorization) async throws {
            _ = try await daemon.call(
                Grant.self, .init(app: try await daemon.ownApp(), level: .always, accuracy: accuracy))
        }
        func replies() async throws -> VarlinkStream<Record.Reply> {
            let client = try await daemon.connect(to: LocationInterface.self)
            return try client.stream(Record.qualifiedName, Record.Parameters(), of: Record.Reply.self)
        }
        await #expect(throws: (any Error).self) { _ = try await replies().first(1) }
        try await grant(.reduced)
        await #expect(throws: VarlinkError("io.locationd.Location.LocationUnknown")) {
            _ = try await replies().first(1)
        }
        for isRevoked in [false, true] {
            try await grant(.full)
            var iterator = try await replies().makeAsyncIterator()
            let reply = try #require(try await iterator.next())
            #expect(reply.milliseconds == 0 && reply.decodedBytes?.first == UInt8(ascii: "$"))
            if isRevoked {
                _ = try await daemon.call(Revoke.self, .init(app: try await daemon.ownApp()))
            } else {
                try await grant(.reduced)
            }
            await #expect(throws: VarlinkError.self) { while try await iterator.next() != nil {} }
        }
    }
}
