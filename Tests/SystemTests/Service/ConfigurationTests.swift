import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The configuration that an administrator writes, and the handling of mistakes in it.
@Suite(.timeLimit(.minutes(15))) struct ConfigurationTests {
    private func start(_ configuration: String) async throws -> Program.Result {
        let folder = try TemporaryFolder()
        let file = folder.path + "/locationd.toml"
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await Program.run(
            Program.path("locationd"),
            [
                "--runtime-directory", folder.path + "/run", "--state-directory", folder.path + "/state", "--config",
                file,
            ])
        return result
    }

    @Test(arguments: [
        ("log-level = \"info\"\nreceiver = [", ":2:", "column"),
        ("log-level = \"loud\"\n", ":1:", "warning"),
        ("\n[limits]\nconnections-per-user = \"many\"\n", ":3:", "whole number"),
        ("[limits]\nconnections-per-user = 0\n", ":2:", "1 to 100000"),
        ("[[receiver]]\nsource = \"gpsd:\"\n[[receiver]]\nname = \"x\"\nsource = \"wifi:1\"\n", ":5:", "serial:"),
        ("[[receiver]]\nname = \"x\"\n", ":1:", "source"),
        (
            "[[receiver]]\nsource = \"socket:/run/g\"\nowner = \"no-such-user\"\n", ":3:",
            "there is no user \"no-such-user\""
        ),
        ("[[receiver]]\nsource = \"gpsd:\"\nowner = 0\n", ":3:", "only a socket belongs to a user"),
        ("[[receiver]]\nsource = \"socket:/run/g\"\ndelay = 1\n", ":3:", "leave delay out"),
        ("discover = \"no\"\n", ":1:", "true or false"),
        ("colour = 1\n", ":1:", "unknown key colour"),
        ("exit-when-idle = 0\n", ":1:", "use a whole number of seconds from 1 to 86400"),
        ("[limits]\nspeed = 1\n", ":2:", "limits.connections-per-user"),
        (
            "[[receiver]]\nsource = \"serial:/dev/a@4800\"\n\n[[receiver]]\nname = \"x\"\nsource = \"serial:/dev/a\"\n",
            ":6:", "serial:/dev/a is there twice, here and at "
        ),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, place: String, explanation: String) async throws {
        let result = try await start(text)
        #expect(result.status != 0)
        #expect(result.errors.contains("locationd.toml\(place)"), "\(result.errors)")
        #expect(result.errors.contains(explanation), "\(result.errors)")
    }

    @Test func aFileThatIsNotThereIsNamed() async throws {
        let result = try await Program.run(Program.path("locationd"), ["--config", "/nonexistent/locationd.toml"])
        #expect(result.status != 0)
        #expect(result.errors.contains("/nonexistent/locationd.toml"))
    }

    @Test func anInvalidReceiverIsRefused() async throws {
        let result = try await Program.run(Program.path("locationd"), ["--receiver", "wifi:1"])
        #expect(result.status != 0)
        #expect(result.errors.contains("serial:"), "\(result.errors)")
    }

    @Test func readingItAgainTakesReceiversAndKeepsTheOldOnesAfterAMistake() async throws {
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"serial:/nonexistent/a\"\nname = \"a\"\n")
        func names() async throws -> [String] {
            try await daemon.call(ListReceivers.self, .init()).receivers.map(\.name)
        }
        func reread(_ text: String) throws {
            try text.write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
            daemon.program.signal(SIGHUP)
        }
        #expect(try await names() == ["a"])
        try reread("[[receiver]]\nsource = \"simulated\"\n[[receiver]]\nsource = \"gpsd:\"\nname = \"b\"\n")
        try await eventually("the new receivers") { try await names() == ["simulated", "b"] }
        try reread("[[receiver]]\nsource = \"nonsense\"\n")
        try await eventually("the mistake in the log") { daemon.log.contains("locationd.toml:2:") }
        #expect(try await names() == ["simulated", "b"])
    }

    @Test func filesBesideItAreReadToo() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf.d", withIntermediateDirectories: true)
        for (name, source) in [("20-second", "gpsd:"), ("10-first", "simulated")] {
            try "[[receiver]]\nsource = \"\(source)\"\nname = \"\(name)\"\n".write(
                toFile: folder.path + "/conf.d/\(name).toml", atomically: true, encoding: .utf8)
        }
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"serial:/dev/null\"\nname = \"main\"\n",
            folder: folder)
        let names = try await daemon.call(ListReceivers.self, .init()).receivers.map(\.name)
        #expect(names == ["main", "10-first", "20-second"])
    }

    @Test func aReceiverOfTwoFilesIsRefusedWithBothPlaces() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf.d", withIntermediateDirectories: true)
        let text = "[[receiver]]\nsource = \"usb:A50285BI\"\n"
        for name in ["locationd.toml", "conf.d/10-receiver.toml"] { try folder.write(text, to: name) }
        let result = try await Program.run(
            Program.path("locationd"), ["--check", "--config", folder.path + "/locationd.toml"])
        #expect(result.status != 0)
        #expect(result.errors.contains("conf.d/10-receiver.toml:2: receiver[0].source: "), "\(result.errors)")
        #expect(result.errors.contains("\(folder.path)/locationd.toml:2: name it once"), "\(result.errors)")
    }

    @Test func aRecordingThatIsNotThereIsReportedAtTheStart() async throws {
        let daemon = try await TestDaemon(
            receivers: [],
            configuration: "[[receiver]]\nsource = \"replay:/nonexistent/walk.nmea\"\n"
                + "[[receiver]]\nsource = \"simulated:/nonexistent/walk.gpx\"\n")
        let doctor = try await daemon.ctl("doctor").output
        for file in ["/nonexistent/walk.nmea", "/nonexistent/walk.gpx"] {
            try await daemon.waitForLog(": \(file) cannot be read: No such file or directory")
            #expect(doctor.contains("there is no file \(file)"), "\(doctor)")
        }
    }

    @Test func itEndsCleanly() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.runtime + "/io.locationd.Location"))
    }

    @Test func theServiceManagersSocketsAreUsed() async throws {
        let folder = try TemporaryFolder()
        let sockets = ["io.locationd.Location", "io.locationd.Manage"].map { folder.path + "/" + $0 }
        try "".write(toFile: folder.path + "/locationd.toml", atomically: true, encoding: .utf8)
        let activator = try RunningProgram(
            "/usr/bin/systemd-socket-activate",
            sockets.flatMap { ["--listen", $0] } + [
                "--fdname=io.locationd.Location:io.locationd.Manage", Program.path("locationd"), "--runtime-directory",
                folder.path + "/run", "--state-directory", folder.path + "/state", "--config",
                folder.path + "/locationd.toml",
            ])
        defer { activator.signal(SIGKILL) }
        try await eventually("the sockets") { sockets.allSatisfy(FileManager.default.fileExists(atPath:)) }
        // The first call starts the daemon.
        let answer = try await RawSocket(sockets[0]).exchange("{\"method\":\"io.locationd.Location.GetAuthorization\"}")
        #expect(answer.contains("notDetermined"), "\(activator.errors)")
        let statistics = try await RawSocket(sockets[1]).exchange("{\"method\":\"io.locationd.Manage.GetStatistics\"}")
        #expect(statistics.contains("uptime"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/run/io.locationd.Location"))
    }
}
