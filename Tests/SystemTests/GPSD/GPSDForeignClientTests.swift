import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Clients of gpsd by other authors, unchanged: refused, granted, reduced, revoked, and granted again.
@Suite(.timeLimit(.minutes(15))) struct GPSDForeignClientTests {
    private static let installed = GPSDForeignClient.all.filter(\.isInstalled)

    @Test(
        .enabled(if: !installed.isEmpty, "needs Debian's gpsd-clients, or PyPI's gpsd-py3 and gps3"),
        arguments: installed)
    func itGetsWhatItsAppIsGranted(client: GPSDForeignClient) async throws {
        let front = try await GPSDFrontDaemon()
        let program = try client.start(port: front.port)
        let app = try await app(of: program, in: front.daemon)
        #expect(try await front.daemon.ctl("deny", app).status == 0)
        let refused = try await seconds(of: front) { for _ in 0..<10 { try await front.pass() } }

        try await grant(app, .full, in: front.daemon)
        var granted = front.nextSecond
        try await front.passEpochs(until: "a fix: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "a fix: \(program.output)\(program.errors)") }
            return (granted..<front.nextSecond).contains { client.shows(epoch: $0, in: program.output) }
        }

        let cell = try await settleCell(front)
        try await grant(app, .reduced, in: front.daemon)
        let reduced = try await seconds(of: front) {
            for _ in 0..<5 { try await front.pass() }
            guard client.getsCell else { return }
            try await eventually("the cell: \(program.output.suffix(500))") {
                client.shows(cell: cell, in: program.output)
            }
        }

        #expect(try await front.daemon.ctl("revoke", app).status == 0)
        let revoked = try await seconds(of: front) { for _ in 0..<10 { try await front.pass() } }

        try await grant(app, .full, in: front.daemon)
        granted = front.nextSecond
        try await front.passEpochs(until: "a fix after the second grant: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "a fix: \(program.output)\(program.errors)") }
            return (granted..<front.nextSecond).contains { client.shows(epoch: $0, in: program.output) }
        }
        // A client with a new grant may be given the last fix, from before the grant. The cell is renewed on the
        // quarter of an hour, and has the time of that second.
        for (phase, seconds) in [
            ("refused", Array(refused.dropLast(5))), ("reduced", reduced.filter { !$0.isMultiple(of: 900) }),
            ("revoked", Array(revoked.dropLast(5))),
        ] {
            let seen = seconds.filter { client.shows(epoch: $0, in: program.output) }
            #expect(seen.isEmpty, "while it was \(phase)")
        }
    }

    /// Returns the cell of this quarter of an hour. It is older than the fix that the client has then, as some clients
    /// print no second location of the same time.
    private func settleCell(_ front: GPSDFrontDaemon) async throws -> Location {
        try await front.grantSelf(.reduced)
        // The fixes so far came faster than their times, so the search may take the last of them for late ones.
        let daemon = front.daemon
        let cell = try await front.passInRhythm {
            try await daemon.call(GetLocation.self, .init(timeout: 600)).location
        }
        for _ in 0..<3 { try await front.pass() }
        return cell
    }

    private func seconds(of front: GPSDFrontDaemon, _ body: () async throws -> Void) async throws -> Range<Int> {
        let first = front.nextSecond
        try await body()
        return first..<front.nextSecond
    }

    /// Returns the app of a program: the connected app other than this process and locationctl.
    private func app(of program: RunningProgram, in daemon: TestDaemon) async throws -> String {
        let others = [try await daemon.ownApp(), try await daemon.ctlApp()]
        var app: String?
        try await eventually("the client's connection: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "a connection: \(program.output)\(program.errors)") }
            let apps = try await daemon.list(ListApps.self, UserScope(uid: Int(getuid()))).apps
            app = apps.first { $0.connections > 0 && !others.contains($0.app) }?.app
            return app != nil
        }
        return try #require(app)
    }

    private func grant(_ app: String, _ accuracy: AccuracyAuthorization, in daemon: TestDaemon) async throws {
        _ = try await daemon.call(Grant.self, .init(app: app, uid: Int(getuid()), level: .always, accuracy: accuracy))
    }
}
