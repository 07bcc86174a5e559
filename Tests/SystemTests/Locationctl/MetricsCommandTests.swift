import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl metrics` with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct MetricsCommandTests {
    /// Returns the lines of metrics, without their descriptions.
    private func samples(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    private func value(_ name: String, in output: String) -> Double? {
        samples(output).first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test func whatTheDaemonCounts() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        while try #require(try await updates.next()?.update).location == nil {}
        let result = try await daemon.ctl("metrics", "--details")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasSuffix("# EOF\n"))
        #expect(value("locationd_up", in: result.output) == 1)
        #expect(try #require(value("locationd_deliveries_total", in: result.output)) >= 1)
        #expect(try #require(value("locationd_receiver_fixes_total{receiver=\"simulated\"}", in: result.output)) >= 1)
        #expect(try #require(value("locationd_receiver_epochs_total{receiver=\"simulated\"}", in: result.output)) >= 1)
        #expect(value("locationd_receivers{state=\"running\"}", in: result.output) == 1)
        #expect(value("locationd_apps{status=\"authorizedWhenInUse\"}", in: result.output) == 1)
        #expect(value("locationd_failed_writes_total", in: result.output) == 0)
        #expect(value("locationd_subscriptions", in: result.output) == 1)
        #expect(!result.output.contains("exe:"))
        _ = try await updates.next()
    }

    @Test func aLossIsCounted() async throws {
        let daemon = try await TestDaemon(receivers: ["serial:/nonexistent/port@9600"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await eventually("a loss") {
            let output = try await daemon.ctl("metrics").output
            return samples(output).contains {
                $0.hasPrefix("locationd_receiver_losses_total") && !$0.hasSuffix(" 0")
            }
        }
        _ = try await updates.next()
    }

    /// Attack: a program is named so that it adds a metric, ends the file, or makes it unreadable.
    @Test func aHostileNameAddsNoMetric() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let names = [
            "\"} 0 locationd_up 0 # EOF", "a\\", "b\"", "c\\\"} 1", "\\n", "\u{202E}", "\u{2066}", "\"\u{301}",
        ]
        for name in names {
            let program = daemon.folder.path + "/" + name
            try await Program.copy("/bin/sleep", to: program)
            _ = try await daemon.call(Grant.self, .init(app: "exe:\(program)", level: .always))
        }
        // The daemon rejects names with line breaks and other control characters.
        for name in ["\"} 0\nlocationd_up 0\n# EOF\n", "\u{1B}[2J"] {
            let app = "exe:\(daemon.folder.path)/\(name)"
            await #expect(throws: VarlinkError.manage(.invalidApp(app: app))) {
                try await daemon.call(Grant.self, .init(app: app, level: .always))
            }
        }
        // A name that is not text is not an app's either.
        let script =
            "cp \(Attack.interpreter) $'\(daemon.folder.path)/\\xff'; "
            + "exec $'\(daemon.folder.path)/\\xff' -c \"$0\" '\(daemon.runtime)'"
        let noText = try await Program.run(
            "/bin/bash", ["-c", script, Program.script("Varlink/authorization_or_refusal")])
        #expect(noText.lines == ["refused"], "\(noText.errors)")

        for format in ["openmetrics", "prometheus"] {
            let result = try await daemon.ctl("metrics", "--apps", "--format", format)
            #expect(result.status == 0, "\(result.errors)")
            let lines = samples(result.output)
            #expect(lines.filter { $0.hasPrefix("locationd_up ") } == ["locationd_up 1"])
            #expect(Set(lines.map { $0.split(separator: " ").dropLast() }).count == lines.count)
            #expect(result.output.contains("/a\\\\\",uid="))
            #expect(result.output.components(separatedBy: "# EOF\n").count == (format == "openmetrics" ? 2 : 1))
            let harmful = result.output.unicodeScalars.filter { scalar in
                scalar != "\n"
                    && [.control, .format, .lineSeparator, .paragraphSeparator]
                        .contains(scalar.properties.generalCategory)
            }
            #expect(harmful.isEmpty)
        }
    }

    /// Attack: a user without rights reads the metrics, and learns facts that the daemon withholds from that user.
    @Test(.enabled(if: Attack.isRoot, "needs root, to be another user"))
    func whoMayNotManageReadsNothing() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        let program = daemon.folder.path + "/ctl"
        try await Program.copy(Program.path("locationctl"), to: program)
        func metrics() async throws -> Program.Result {
            try await Program.run(
                Attack.asNobody[0],
                Attack.asNobody.dropFirst() + [program, "metrics", "--apps", "--runtime-directory", daemon.runtime])
        }
        let refused = try await metrics()
        #expect(refused.status != 0 && refused.output.isEmpty, "\(refused.output)")
        daemon.letManage(group: Attack.nobodysGroup)
        try await daemon.grantSelf()
        let own = try await metrics()
        #expect(own.status == 0, "\(own.errors)")
        for name in ["deliveries", "refusals", "failed_writes", "app_authorization"] {
            #expect(!own.output.contains("locationd_\(name)"))
        }
    }

    /// Attack: who reads the exporter's port learns from an administrator's metrics when a receiver is opened for a
    /// user's region, and from that how far away it is.
    @Test func theMetricsDoNotRevealADistance() async throws {
        let daemon = try await TestDaemon.standingStill()
        let region = CircularRegion(
            identifier: "secret", latitude: Track.latitude(north: 6103), longitude: 8.75, radius: 100)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region))
        func fixes() async throws -> Int { try await daemon.call(ListReceivers.self, .init()).receivers[0].fixes ?? 0 }
        func shown() async throws -> [String] {
            try await samples(daemon.ctl("metrics").output).filter { $0.hasPrefix("locationd_receiver") }
        }
        try await eventually("fixes for the region") { try await fixes() >= 3 }
        let before = try await shown()
        #expect(before.contains("locationd_receivers{state=\"resting\"} 1"), "\(before)")
        let count = try await fixes()
        try await eventually("more of them") { try await fixes() >= count + 3 }
        #expect(try await shown() == before)
    }

    @Test func aFileIsWrittenWhole() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let file = daemon.folder.path + "/locationd.prom"
        let result = try await daemon.ctl("metrics", "--format", "prometheus", "--output", file)
        #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("# TYPE locationd_refusals_total counter\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        let files = try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path)
        #expect(files.count { $0.contains("prom") } == 1)

        // Attack, or accident: root's file replaces a device, or follows a link.
        try FileManager.default.createSymbolicLink(
            atPath: daemon.folder.path + "/link", withDestinationPath: daemon.configuration)
        let link = try await daemon.ctl("metrics", "--output", daemon.folder.path + "/link")
        #expect(link.status == 1, "\(link.errors)")
    }

    @Test func aDaemonThatIsDown() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/locationd.prom"
        let environment = ["LOCATIOND_RUNTIME_DIRECTORY": folder.path]
        let result = try await Program.run(
            Program.path("locationctl"), ["metrics", "--output", file], environment: environment)
        #expect(result.status == 3)
        #expect(!result.errors.isEmpty)
        #expect(samples(try String(contentsOfFile: file, encoding: .utf8)) == ["locationd_up 0"])
    }
}
