import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Decisions about apps by the names that people type, with real files and the real daemon.
@Suite(.timeLimit(.minutes(15))) struct AppNameTests {
    private func apps(_ daemon: TestDaemon) async throws -> [String: AuthorizationStatus] {
        let apps = try await daemon.list(ListApps.self, UserScope(uid: Int(getuid()))).apps
        return Dictionary(uniqueKeysWithValues: apps.map { ($0.app, $0.status) })
    }

    /// Attack, or accident: a program was granted the location, and is denied by another of its names. It must not keep
    /// the location while the user believes that it lost it.
    @Test func aProgramIsDeniedByEachOfItsNames() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let folder = URL(filePath: daemon.folder.path).resolvingSymlinksInPath().path(percentEncoded: false)
        let program = folder + "/python3.11"
        try await Program.copy("/bin/true", to: program)
        try FileManager.default.createSymbolicLink(atPath: folder + "/python3", withDestinationPath: "python3.11")
        for name in ["python3", "python3.11", "./python3", "/python3.11"] {
            for (command, status) in [("deny", AuthorizationStatus.denied), ("revoke", .denied), ("reset", nil)] {
                #expect(try await daemon.ctl("grant", "exe:\(program)", "--always").status == 0)
                let result = try await daemon.ctl(command, "exe:\(folder)/\(name)")
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("exe:\(program)"))
                #expect(name == "python3.11" || result.output.contains(", which \(folder)/\(name) is,"))
                #expect(try await apps(daemon) == (status.map { ["exe:\(program)": $0] } ?? [:]), "\(command) \(name)")
            }
        }
    }

    /// A stored decision stays revocable by the name that `locationctl apps` prints, whatever happened to the file.
    @Test func aProgramThatIsGoneIsRevoked() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let program = daemon.folder.path + "/program"
        for command in ["revoke", "reset"] {
            try await Program.copy("/bin/true", to: program)
            #expect(try await daemon.ctl("grant", "exe:\(program)").status == 0)
            try FileManager.default.removeItem(atPath: program)
            // A link, a script or a folder may be there instead.
            try FileManager.default.createDirectory(atPath: program, withIntermediateDirectories: false)
            #expect(try await daemon.ctl(command, "exe:\(program)").status == 0)
            try FileManager.default.removeItem(atPath: program)
            #expect(try await apps(daemon) == (command == "reset" ? [:] : ["exe:\(program)": .denied]))
        }
    }

    @Test func whatNeverMatchesIsNotStored() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let folder = daemon.folder.path
        try "#!/bin/sh\n".write(toFile: folder + "/script", atomically: false, encoding: .utf8)
        try await Program.copy("/bin/true", to: folder + "/caf\u{E9}")
        for name in [
            "exe:\(folder)", "exe:\(folder)/script", "exe:\(folder)/cafe\u{301}", "exe:\(folder)/caf\u{E9} ",
            "exe:/nonexistent//x", "exe:/nonexistent/../x", "exe:/nonexistent/x*", "exe:/nonexistent (deleted)",
            "service:x.service", "app:x.desktop", "flatpak:*",
        ] {
            for command in ["grant", "deny"] {
                let result = try await daemon.ctl(command, name)
                #expect(result.status == 1, "\(command) \(name)")
                #expect(result.errors.contains("nothing was changed: "), "\(result.errors)")
            }
        }
        #expect(try await daemon.ctl("grant", "exe:/bin/true", "--uid", "4000000000").status == 2)
        #expect(try await apps(daemon).isEmpty)
        // Other programs than locationctl are refused what no process can be, too.
        for name in ["exe:/usr//bin/x", "service:x.service"] {
            await #expect(throws: VarlinkError.manage(.invalidApp(app: name))) {
                try await daemon.call(Grant.self, .init(app: name, level: .whenInUse))
            }
        }
    }

    /// A decision about something that is not there is made, and not without a remark.
    @Test func aDenialOfNothingIsNotSilent() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let result = try await daemon.ctl("deny", "exe:/nonexistent/program")
        #expect(result.status == 0)
        #expect(result.errors.contains("there is no /nonexistent/program now"))
        #expect(try await daemon.ctl("reset", "exe:/nonexistent/other").output.hasPrefix("Nothing was decided about"))
    }

    @Test(.enabled(if: getuid() == 0, "names another user")) func theUserIsNamed() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        #expect(try await daemon.ctl("grant", "exe:/bin/bash").output.contains("(user root)"))
        #expect(try await daemon.ctl("grant", "exe:/bin/bash", "--uid", "1").output.contains("(user daemon)"))
    }

    /// A rule for a link restricts the program that it leads to.
    @Test func aRuleForALinkRestrictsTheProgram() async throws {
        let rule = "[[restricted]]\napp = \"exe:/bin/sh\"\n"
        let daemon = try await TestDaemon(receivers: ["simulated"], configuration: rule)
        let result = try await daemon.ctl("grant", "exe:/bin/sh")
        #expect(result.status == 1)
        #expect(result.errors.contains("forbids"), "\(result.errors)")
    }
}
