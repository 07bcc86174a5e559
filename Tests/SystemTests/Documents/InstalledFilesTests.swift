import Foundation
import TestSupport
import Testing

/// The files that `make install` and the package install besides the programs.
@Suite(.timeLimit(.minutes(15))) struct InstalledFilesTests {
    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: Project.folder + "/" + file, encoding: .utf8)
    }

    /// The package and both programs have the same version.
    @Test(arguments: ["locationd", "locationctl", "locationd-publish", "locationd-nmea", "locationd-ntrip"])
    func thePackageHasTheVersionOf(program: String) async throws {
        let version = try await Program.run(Program.path(program), ["--version"]).lines.first
        let changelog = try #require(try text("debian/changelog").split(separator: "\n").first)
        #expect(changelog.hasPrefix("locationd (\(version ?? "none"))"), "\(changelog)")
    }

    @Test(arguments: ["locationd", "locationctl", "locationd-publish", "locationd-nmea", "locationd-ntrip"])
    func bashReadsTheCompletionOf(program: String) async throws {
        let script = try await Program.run(Program.path(program), ["--generate-completion-script", "bash"])
        #expect(script.output.contains("complete -o filenames -F _\(program) \(program)"))
        let folder = try TemporaryFolder()
        try script.output.write(toFile: folder.path + "/completion", atomically: true, encoding: .utf8)
        let result = try await Program.run("/bin/bash", ["-n", folder.path + "/completion"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    /// Returns the paths that a target of the Makefile installs, below its `DESTDIR`.
    private func installed(by target: String) async throws -> Set<String> {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "/usr/bin/make",
            [
                "--silent", "-C", Project.folder, target, "DESTDIR=\(folder.path)", "PREFIX=/usr",
                "UNITDIR=/lib/systemd/system",
            ])
        try #require(result.status == 0, "\(result.errors)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            paths.filter {
                var isDirectory: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder.path)/\($0)", isDirectory: &isDirectory)
                    && !isDirectory.boolValue
            })
    }

    @Test func thePackageForClientsOfGPSD() async throws {
        #expect(
            try await installed(by: "install-gpsd") == [
                "lib/systemd/system/locationd-gpsd.socket", "lib/systemd/system/locationd-gpsd-ipv6.socket",
                "lib/systemd/system/locationd.service.d/locationd-gpsd.conf",
                "lib/systemd/system/gpsd.socket.d/locationd-gpsd.conf",
                "usr/share/doc/locationd-gpsd/examples/gpsd-source.conf",
            ])
    }

    @Test func thePackageForClientsOfGeoClue() async throws {
        #expect(
            try await installed(by: "install-geoclue") == [
                "usr/share/dbus-1/system.d/org.freedesktop.GeoClue2.conf",
                "usr/share/dbus-1/system.d/org.freedesktop.GeoClue2.Agent.conf",
                "usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service",
                "usr/share/locationd/conf.d/locationd-geoclue.toml",
                #"usr/share/locationd/apps/exe:usr-libexec-xdg\x2ddesktop\x2dportal.toml"#,
            ])
    }

    /// GeoClue's packages have files of the same names: dpkg installs one or the other.
    @Test func theReplacementOfGeoClueIsOne() throws {
        let packages = try text("debian/control").components(separatedBy: "\n\n")
        let package = try #require(packages.first { $0.hasPrefix("Package: locationd-geoclue\n") })
        for line in ["Provides: geoclue-2.0 (= 2.6.0)", "Conflicts: geoclue-2.0", "Replaces: geoclue-2.0"] {
            #expect(package.contains(line + "\n"))
        }
        let activation = try text("data/dbus/org.freedesktop.GeoClue2.service").split(separator: "\n")
        #expect(
            Set(activation).isSuperset(of: [
                "Name=org.freedesktop.GeoClue2", "Exec=/bin/false", "User=locationd",
                "SystemdService=locationd.service",
            ]))
    }

    /// The daemon's user alone may acquire the name, and may read nothing of other connections but an agent's
    /// properties and how much the bus keeps for them.
    @Test func theBusPoliciesAllowNoMore() throws {
        func rules(_ file: String) throws -> [String] {
            try text(file).replacing(/\n +send_/, with: " send_").split(separator: "\n").map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix("<policy") || $0.hasPrefix("<allow") || $0.hasPrefix("<deny") }.map(String.init)
        }
        #expect(
            try rules("data/dbus/org.freedesktop.GeoClue2.conf") == [
                "<policy user=\"locationd\">", "<allow own=\"org.freedesktop.GeoClue2\"/>",
                """
                <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Debug.Stats" \
                send_member="GetConnectionStats"/>
                """,
                "<policy context=\"default\">", "<allow send_destination=\"org.freedesktop.GeoClue2\"/>",
            ])
        #expect(
            try rules("data/dbus/org.freedesktop.GeoClue2.Agent.conf") == [
                "<policy user=\"locationd\">",
                """
                <allow send_interface="org.freedesktop.DBus.Properties" \
                send_path="/org/freedesktop/GeoClue2/Agent"/>
                """,
            ])
    }

    /// A user at the machine answers prompts, and authenticates for all else; the daemon may ask about others.
    @Test func polkitsActionsPermitNoMore() throws {
        let actions = try text("data/polkit/io.locationd.policy").split(separator: "<action id=").dropFirst().map {
            action in
            action.split(separator: "\n").map { $0.drop { $0 == " " } }
                .filter { !$0.hasPrefix("<description ") && !$0.hasPrefix("<message ") && $0.first == "<" }
        }
        func rules(active: String) -> [Substring] {
            [
                "<defaults>", "<allow_any>auth_self_keep</allow_any>",
                "<allow_inactive>auth_self_keep</allow_inactive>", "<allow_active>\(active)</allow_active>",
                "</defaults>",
                "<annotate key=\"org.freedesktop.policykit.owner\">unix-user:locationd</annotate>", "</action>",
            ]
        }
        #expect(actions == [rules(active: "yes"), rules(active: "auth_self_keep") + ["</policyconfig>"]])
    }

    @Test(.enabled(if: access("/usr/bin/xmllint", X_OK) == 0, "needs xmllint"))
    func thePoliciesAreWellFormed() async throws {
        for file in [
            "data/dbus/org.freedesktop.GeoClue2.conf", "data/dbus/org.freedesktop.GeoClue2.Agent.conf",
            "data/polkit/io.locationd.policy",
        ] {
            let result = try await Program.run("/usr/bin/xmllint", ["--noout", "--nonet", Project.folder + "/" + file])
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test(arguments: ["locationd-gpsd", "locationd-geoclue"])
    func theScriptsOfThePackageAreScripts(package: String) async throws {
        let folder = Project.folder + "/debian"
        let scripts = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasPrefix(package + ".p")
        }
        #expect(scripts.contains(package + ".postinst") && scripts.contains(package + ".postrm"))
        for script in scripts {
            let result = try await Program.run("/bin/sh", ["-n", "\(folder)/\(script)"])
            #expect(result.status == 0, "\(script): \(result.errors)")
            #expect(try text("debian/" + script).contains("\n#DEBHELPER#\n"))
        }
    }
}
