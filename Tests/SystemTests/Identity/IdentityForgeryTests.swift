import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Attacks with forged evidence: control groups, files in a process's root, mounts, parameters. They run one after
/// the other, because the control groups have folders in common.
@Suite(.serialized, .timeLimit(.minutes(15))) struct IdentityForgeryTests {
    private static let canWrap = Attack.isRoot && Attack.hasBubblewrap

    /// Returns a command that becomes a program in a root of its own, with `info` as its `.flatpak-info`.
    private func wrapped(_ attack: Attack, info: [String] = []) -> [String] {
        [
            "/usr/bin/bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
            "/lib64", "--proc", "/proc", "--bind", attack.folder.path, attack.folder.path,
        ] + info
    }

    private func forgedInfo(_ attack: Attack) throws -> String {
        let path = attack.folder.path + "/info"
        try "[Application]\nname=org.gnome.Maps\n".write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// Attack: a process puts the `.flatpak-info` of a granted Flatpak app into a root of its own. It is refused, and so is a
    /// program that has a grant by its own name: in a sandbox it is not the program outside.
    @Test(.enabled(if: canWrap, "needs root and bubblewrap")) func aForgedFlatpakInfo() async throws {
        let attack = try await Attack()
        try await attack.grant("flatpak:org.gnome.Maps")
        #expect(try await attack.outcome(of: attack.granted, through: wrapped(attack)) == ["PermissionDenied"])
        try await attack.daemon.waitForLog("neither a Flatpak nor a snap")
        let forged = wrapped(attack, info: ["--ro-bind", try forgedInfo(attack), "/.flatpak-info"])
        for program in [attack.granted, attack.other] {
            #expect(try await attack.outcome(of: program, through: forged) == ["PermissionDenied"])
        }
        #expect(try await attack.connections() == 0)
        try await attack.daemon.waitForLog("its .flatpak-info do not name the same app")
    }

    /// The program that is refused cannot read the daemon's log, but its user can.
    @Test(.enabled(if: canWrap, "needs root and bubblewrap")) func aRefusedProgramNamesTheLog() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let result = try await Program.run(
            "/usr/bin/bwrap", ["--dev-bind", "/", "/", "--unshare-pid", Program.path("locationctl"), "get"],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.contains("cannot identify this program"), "\(result.errors)")
        #expect(result.errors.contains("journalctl -u locationd"), "\(result.errors)")
        try await daemon.waitForLog("see \"In a container\" in app-developers.md")
    }

    /// Attack: a process creates a control group with the name of an app that has a grant, in a part of the tree that
    /// was delegated to it. All these names have grants. None counts in a place where systemd would not have put it.
    @Test(
        .enabled(if: ControlGroupFolder.isPossible, "needs root and a writable cgroup2"),
        arguments: [
            ("TEST.slice/system.slice/TEST.service", "NotAuthorized notDetermined"),
            ("system.slice/TEST.scope/system.slice/TEST.service", "NotAuthorized notDetermined"),
            ("TEST.slice/user@0.service/app.slice/app-TEST-1.scope", "NotAuthorized notDetermined"),
            ("user.slice/user-1.slice/user@0.service/app.slice/app-TEST-1.scope", "NotAuthorized notDetermined"),
            ("user.slice/user-1.slice/user@1.service/app.slice/app-TEST-1.scope", "NotAuthorized notDetermined"),
            ("TEST.slice/app-flatpak-TEST-123.scope", "PermissionDenied"),
            ("user.slice/user-0.slice/user@0.service/app.slice/app-flatpak-TEST-1.scope", "PermissionDenied"),
            ("TEST.slice/snap.TEST.TEST.1.scope", "PermissionDenied"),
            ("user.slice/user-0.slice/user@0.service/app.slice/snap.TEST.TEST.1.scope", "PermissionDenied"),
            // Places where they do count
            ("system.slice/TEST.service", "location"),
            ("system.slice/TEST.service/its/own.scope", "location"),
            ("user.slice/user-0.slice/user@0.service/app.slice/app-TEST-1.scope", "location"),
        ])
    func aForgedControlGroup(path: String, expected: String) async throws {
        let attack = try await Attack()
        let name = "locationdtest\(UInt32.random(in: 0 ... .max))"
        for kind in ["service", "app", "flatpak", "snap"] { try await attack.grant("\(kind):\(name)") }
        let group = try ControlGroupFolder(path.replacing("TEST", with: name))
        #expect(try await attack.outcome(of: attack.other, through: group.launcher) == [expected], "\(path)")
    }

    /// Attack: the forged file is a symbolic link, perhaps to a device, which the daemon would follow with its own
    /// rights. It is refused, although the control group agrees.
    ///
    /// With a regular file in its place, the attack succeeds, and this cannot be prevented: Flatpak creates both
    /// without any special rights, so any process of the user outside a sandbox can do what Flatpak does.
    @Test(.enabled(if: canWrap && ControlGroupFolder.isPossible, "needs root, bubblewrap and a writable cgroup2"))
    func aFlatpakInfoThatIsALink() async throws {
        let attack = try await Attack()
        try await attack.grant("flatpak:org.gnome.Maps")
        let group = try ControlGroupFolder(
            "user.slice/user-0.slice/user@0.service/app.slice/app-flatpak-org.gnome.Maps-4194999.scope")
        let info = try forgedInfo(attack)
        for (forged, expected) in [
            (["--symlink", info, "/.flatpak-info"], "PermissionDenied"),
            (["--dev-bind", "/dev/null", "/.flatpak-info"], "PermissionDenied"),
            (["--dir", "/.flatpak-info"], "PermissionDenied"),
            // As Flatpak makes it.
            (["--ro-bind-data", "9", "/.flatpak-info"], "location"),
            (["--file", "9", "/.flatpak-info"], "location"),
        ] {
            let opened = ["/bin/sh", "-c", "exec \"$@\" 9<\"$0\"", info]
            let launcher = group.launcher + opened + wrapped(attack, info: forged)
            #expect(try await attack.outcome(of: attack.other, through: launcher) == [expected], "\(forged)")
        }
    }

    /// Attack: the root of a process is a file system that never answers, and a process that looks for a
    /// `.flatpak-info` there hangs. No process looks there, and the app is refused, as in any container.
    @Test(.enabled(if: Attack.isRoot && access("/dev/fuse", R_OK | W_OK) == 0, "needs root and FUSE"))
    func aRootThatNeverAnswers() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            "sys.path.insert(0, \"\(Self.adversary)\")\n" + Program.script("IdentityForgery/root_that_never_answers"),
            as: attack.granted)
        #expect(lines == ["PermissionDenied", "0"])
    }

    private static let adversary = Project.folder + "/Tests/Adversary"

    /// Attack: a process mounts its own program over a granted one, in a mount namespace of its own. The kernel
    /// reports the path of the granted program, but the file is another one.
    @Test(.enabled(if: Attack.isRoot, "needs root")) func aProgramMountedOverAGrantedOne() async throws {
        let attack = try await Attack()
        let mounted = [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount --bind \"$0\" \"$1\" && exec \"$@\"", attack.other,
        ]
        let lines = try await attack.run(
            "print(os.readlink('/proc/self/exe') == GRANTED)\nprint(ask())", as: attack.granted, through: mounted)
        #expect(lines == ["True", "PermissionDenied"])
        try await attack.daemon.waitForLog("mounts of its own")
        // A mount namespace of its own is not a reason for a refusal.
        let apart = ["/usr/bin/unshare", "--mount"]
        #expect(try await attack.outcome(of: attack.granted, through: apart) == ["location"])
    }

    /// Attack: the same in a root that has only the path in common with the machine's, as in a container.
    @Test(.enabled(if: canWrap, "needs root and bubblewrap")) func aContainersProgramOfTheSamePath() async throws {
        let attack = try await Attack()
        let container = wrapped(attack, info: ["--ro-bind", attack.other, attack.folder.path + "/container"])
        try await attack.grant("exe:\(attack.folder.path)/container")
        let lines = try await attack.run(
            "print(os.readlink('/proc/self/exe'))\nprint(ask())", as: attack.folder.path + "/container",
            through: container)
        #expect(lines == ["\(attack.folder.path)/container", "PermissionDenied"])
    }

    /// Attack: a granted program is replaced while it runs. The running program is no longer the granted one.
    @Test func aProgramThatIsReplaced() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            "os.rename(OTHER, GRANTED)\nprint(ask())\nos.unlink(GRANTED)\nprint(ask())", as: attack.granted)
        #expect(lines == ["PermissionDenied", "PermissionDenied"])
    }

    /// Attack: a client claims to be another app or another user, as clients of GeoClue can.
    @Test func aClientThatNamesAnotherApp() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            Program.script("IdentityForgery/client_that_names_another_app"), as: attack.other)
        let claims = ["app", "desktopId", "uid", "pid"]
        let refused = lines.dropLast().enumerated().allSatisfy { index, line in
            index % 3 == 2
                ? ["NotAuthorized notDetermined", "InvalidParameter \(claims[index / 3])"].contains(line)
                : line == "InvalidParameter \(claims[index / 3])"
        }
        #expect(lines.count == 13 && refused, "\(lines)")
        #expect(lines.last == "authorization")
        let apps = try await attack.daemon.call(ListApps.self, UserScope(uid: Int(getuid()))).apps
        #expect(apps.map(\.app) == ["exe:" + attack.granted])
    }
}

extension Attack {
    /// Returns the number of connections to the public socket.
    func connections() async throws -> Int {
        try await daemon.call(GetStatistics.self, Nothing()).statistics.connections
    }
}
