import Foundation
import TestSupport
import Testing

/// The unit files, checked by systemd itself.
@Suite(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "needs systemd-analyze"))
struct UnitFilesTests {
    private let folder = URL(filePath: Project.folder + "/systemd")

    /// Returns the units with paths of existing programs, those of this build.
    private func units() throws -> (folder: TemporaryFolder, files: [String]) {
        let temporary = try TemporaryFolder()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".service") || $0.hasSuffix(".socket") || $0.hasSuffix(".timer") }
        for name in names {
            var text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for program in ["/usr/sbin/locationd", "/usr/libexec/locationd-peers", "/usr/bin/locationctl"] {
                text.replace(
                    "ExecStart=\(program)",
                    with: "ExecStart=\(Program.path(String(program.split(separator: "/").last!)))")
            }
            try text.write(toFile: "\(temporary.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let sockets = try addSocketsOfGPSD(to: temporary)
        let publisher = try addPublisher(to: temporary)
        let relay = try addRelay(to: temporary)
        let corrections = try addCorrections(to: temporary)
        return (temporary, (names + sockets + [publisher] + relay + corrections).map { "\(temporary.path)/\($0)" })
    }

    /// Adds the unit that `make install-publish` installs, and returns its name.
    private func addPublisher(to temporary: TemporaryFolder) throws -> String {
        let name = "locationd-publish.service"
        try String(contentsOf: folder.appending(path: "publish/" + name), encoding: .utf8)
            .replacing("ExecStart=/usr/sbin/locationd-publish", with: "ExecStart=\(Program.path("locationd-publish"))")
            .write(toFile: "\(temporary.path)/\(name)", atomically: true, encoding: .utf8)
        return name
    }

    /// Adds what `make install-nmea` installs, for an instance, and returns the names of the units.
    private func addRelay(to temporary: TemporaryFolder) throws -> [String] {
        let templates = [
            "locationd-nmea-receive@.service", "locationd-nmea-receive@.socket", "locationd-nmea@.service",
            "locationd-nmea-network@.service",
        ]
        return try templates.map { template in
            let name = template.replacing("@", with: "@phone")
            try String(contentsOf: folder.appending(path: "nmea/\(template)"), encoding: .utf8)
                .replacing("ExecStart=/usr/sbin/locationd-nmea", with: "ExecStart=\(Program.path("locationd-nmea"))")
                .write(toFile: "\(temporary.path)/\(name)", atomically: true, encoding: .utf8)
            return name
        }
    }

    /// Adds what `make install-ntrip` installs, for an instance, and returns the names of the units.
    private func addCorrections(to temporary: TemporaryFolder) throws -> [String] {
        try ["locationd-ntrip@.service", "locationd-corrections.socket"].map { template in
            let name = template.replacing("@", with: "@base")
            try String(contentsOf: folder.appending(path: "ntrip/\(template)"), encoding: .utf8)
                .replacing("ExecStart=/usr/sbin/locationd-ntrip", with: "ExecStart=\(Program.path("locationd-ntrip"))")
                .write(toFile: "\(temporary.path)/\(name)", atomically: true, encoding: .utf8)
            return name
        }
    }

    /// Adds what `make install-gpsd` installs, and returns the names of the units.
    private func addSocketsOfGPSD(to temporary: TemporaryFolder) throws -> [String] {
        let source = folder.path(percentEncoded: false) + "/gpsd/"
        let names = try FileManager.default.contentsOfDirectory(atPath: source).filter { $0.hasSuffix(".socket") }
        for name in names {
            try FileManager.default.copyItem(atPath: source + name, toPath: "\(temporary.path)/\(name)")
        }
        for unit in ["locationd.service", "gpsd.socket"] {
            let dropIns = "\(temporary.path)/\(unit).d"
            try FileManager.default.createDirectory(atPath: dropIns, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                atPath: source + unit + ".conf", toPath: dropIns + "/locationd-gpsd.conf")
        }
        return names
    }

    @Test func nothingIsWrong() async throws {
        let (folder, files) = try units()
        #expect(files.count == 16)
        // The manual pages are not installed where the tests run.
        let result = try await Program.run("/usr/bin/systemd-analyze", ["verify", "--man=no"] + files)
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
        withExtendedLifetime(folder) {}
    }

    /// The exposure ranges from 0, completely sandboxed, to 10.
    @Test(arguments: [
        ("locationd.service", 1.5), ("locationd-peers.service", 2.0), ("locationd-publish.service", 1.2),
        ("locationd-nmea-receive@phone.service", 1.5), ("locationd-nmea@phone.service", 1.5),
        ("locationd-nmea-network@phone.service", 1.5), ("locationd-metrics.service", 1.5),
        ("locationd-ntrip@base.service", 1.5),
    ])
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

    private func unit(_ name: String) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Settings that the units rely on and that no tool checks.
    @Test func theSocketsOfTheDesign() throws {
        #expect(
            Set(try unit("locationd.socket")).isSuperset(of: [
                "ListenStream=/run/locationd/io.locationd.Location", "FileDescriptorName=io.locationd.Location",
                "SocketMode=0666", "Service=locationd.service",
            ]))
        #expect(
            Set(try unit("locationd-manage.socket")).isSuperset(of: [
                "ListenStream=/run/locationd-manage/io.locationd.Manage", "FileDescriptorName=io.locationd.Manage",
                "SocketMode=0666", "SocketGroup=locationd", "Service=locationd.service",
            ]))
        #expect(
            Set(try unit("locationd-peers.socket")).isSuperset(of: [
                "ListenSequentialPacket=/run/locationd-peers/socket", "SocketUser=locationd", "SocketMode=0600",
            ]))
        #expect(try unit("locationd.service").contains("Environment=LOCATIOND_PEERS=/run/locationd-peers/socket"))
    }

    /// The grant belongs to a user and a service: the user must stay the same.
    @Test func thePublisherHasAUserOfItsOwn() throws {
        let lines = try unit("publish/locationd-publish.service")
        #expect(lines.contains("User=locationd-publish"))
        #expect(!lines.contains { $0.hasPrefix("DynamicUser=") })
        #expect(try unit("publish/locationd-publish.sysusers").contains { $0.hasPrefix("u locationd-publish ") })
        #expect(lines.contains("RestartPreventExitStatus=2"))
    }

    /// The program with the network has no view of locations, and its socket is the daemon's alone.
    @Test func theRelayHasAUserOfItsOwnAndNoLocation() throws {
        let lines = try unit("nmea/locationd-nmea-receive@.service")
        #expect(lines.contains("User=locationd-nmea-receive"))
        #expect(lines.contains { $0.hasPrefix("InaccessiblePaths=-/run/locationd ") })
        #expect(try unit("nmea/locationd-nmea.sysusers").contains { $0.hasPrefix("u locationd-nmea-receive ") })
        let socket = try unit("nmea/locationd-nmea-receive@.socket")
        #expect(Set(socket).isSuperset(of: ["SocketUser=locationd", "SocketGroup=root", "SocketMode=0600"]))
    }

    /// What serves a file has no network. Neither of the two decides about grants, its own among them.
    @Test func whatServesAFileHasNoNetwork() throws {
        let lines = try unit("nmea/locationd-nmea@.service")
        #expect(lines.contains("RestrictAddressFamilies=AF_UNIX") && lines.contains("IPAddressDeny=any"))
        // Attack: who takes the program with the network over opens the file of the other one, which has the same user.
        for name in ["locationd-nmea", "locationd-nmea-network"] {
            let lines = try unit("nmea/\(name)@.service")
            #expect(lines.contains("User=\(name)") && lines.contains("Group=\(name)"))
            #expect(lines.contains { $0.hasPrefix("InaccessiblePaths=-/run/locationd-manage ") })
            #expect(try unit("nmea/locationd-nmea.sysusers").contains { $0.hasPrefix("u \(name) - ") })
        }
    }

    /// Metrics are written where an administrator wants them, and nothing else is.
    @Test func metricsAreWrittenOnRequest() throws {
        let lines = try unit("locationd-metrics.service")
        #expect(lines.contains("ReadWritePaths=/var/lib/prometheus/node-exporter"))
        #expect(lines.contains("CapabilityBoundingSet=") && lines.contains("PrivateNetwork=yes"))
        #expect(!lines.contains("[Install]"))
        let rules = try String(contentsOfFile: Project.folder + "/debian/rules", encoding: .utf8)
        #expect(rules.contains("--no-enable --no-start locationd-metrics.timer"))
    }

    /// The daemon opens none of these sockets itself, and nothing beyond the machine reaches them.
    @Test func theSocketsForClientsOfGPSD() throws {
        let common = [
            "FileDescriptorName=gpsd", "Service=locationd.service", "IPAddressDeny=any", "IPAddressAllow=localhost",
        ]
        let listening = [
            "locationd-gpsd.socket": ["ListenStream=/run/locationd/gpsd", "ListenStream=127.0.0.1:2947"],
            "locationd-gpsd-ipv6.socket": ["ListenStream=[::1]:2947"],
        ]
        for (name, expected) in listening {
            let lines = try unit("gpsd/" + name)
            #expect(Set(lines).isSuperset(of: common))
            #expect(lines.filter { $0.hasPrefix("Listen") } == expected)
            #expect(try unit("gpsd/locationd.service.conf").contains { $0.hasPrefix("Sockets=") && $0.contains(name) })
        }
        #expect(try unit("gpsd/locationd-gpsd.socket").contains("SocketMode=0666"))
        #expect(try unit("gpsd/locationd-gpsd-ipv6.socket").contains("BindIPv6Only=ipv6-only"))
        #expect(try unit("locationd.service").contains("SocketBindDeny=any"))
    }

    /// Attack: a serial converter that is plugged in makes gpsd's rules start gpsd.socket. Units that conflict would
    /// lose the port to it, and every program would get the location without a grant.
    @Test func gpsdDoesNotGetThePortBack() throws {
        #expect(try unit("gpsd/gpsd.socket.conf").contains("ConditionPathExists=!/run/locationd/gpsd"))
        for name in ["gpsd/locationd-gpsd.socket", "gpsd/locationd-gpsd-ipv6.socket"] {
            let lines = try unit(name)
            #expect(lines.contains("Before=gpsd.socket"))
            #expect(!lines.contains { $0.hasPrefix("Conflicts=") })
        }
    }
}
