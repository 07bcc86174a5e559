import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Attacks by what a process says of itself, or shows the daemon: control groups, files in its root, mounts, parameters.
/// One after the other: the control groups have folders in common.
@Suite(.serialized, .timeLimit(.minutes(15))) struct IdentityForgeryTests {
    private static let canWrap = Attack.isRoot && Attack.hasBubblewrap

    /// A command that becomes a program in a root of its own, with `info` as its `.flatpak-info`.
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

    /// Attack: a process puts the `.flatpak-info` of a granted Flatpak app in a root of its own. It is refused, also
    /// what its own name would have had.
    @Test(.enabled(if: canWrap, "needs root and bubblewrap")) func aForgedFlatpakInfo() async throws {
        let attack = try await Attack()
        try await attack.grant("flatpak:org.gnome.Maps")
        #expect(try await attack.outcome(of: attack.granted, through: wrapped(attack)) == ["location"])
        let forged = wrapped(attack, info: ["--ro-bind", try forgedInfo(attack), "/.flatpak-info"])
        for program in [attack.granted, attack.other] {
            #expect(try await attack.outcome(of: program, through: forged) == ["PermissionDenied"])
        }
        #expect(try await attack.connections() == 0)
        #expect(attack.daemon.log.contains("its .flatpak-info do not name the same app"))
    }

    /// Attack: a process makes a control group with the name of an app that has a grant, in a part of the tree that it was
    /// given. All these names are granted; none counts where systemd would not have put it.
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
            // Where they do count
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

    /// Attack: the forged file is a symbolic link, which the daemon would follow with its own rights, to a device perhaps.
    /// It is refused, though the control group agrees.
    ///
    /// With a file in its place this is what cannot be prevented: Flatpak makes both without any rights, so any process of
    /// the user that is in no sandbox can do what Flatpak does.
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
            (["--ro-bind", info, "/.flatpak-info"], "location"),
        ] {
            let launcher = group.launcher + wrapped(attack, info: forged)
            #expect(try await attack.outcome(of: attack.other, through: launcher) == [expected], "\(forged)")
        }
    }

    /// Attack: a process mounts its own program over a granted one, in a mount namespace of its own. The kernel tells the
    /// granted one's path; the file is another.
    @Test(.enabled(if: Attack.isRoot, "needs root")) func aProgramMountedOverAGrantedOne() async throws {
        let attack = try await Attack()
        let mounted = [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount --bind \"$0\" \"$1\" && exec \"$@\"", attack.other,
        ]
        let lines = try await attack.run(
            "print(os.readlink('/proc/self/exe') == GRANTED)\nprint(ask())", as: attack.granted, through: mounted)
        #expect(lines == ["True", "PermissionDenied"])
        #expect(attack.daemon.log.contains("mounts of its own"))
        // A namespace of its own alone is no reason.
        let apart = ["/usr/bin/unshare", "--mount"]
        #expect(try await attack.outcome(of: attack.granted, through: apart) == ["location"])
    }

    /// Attack: the same in a root that has nothing but the path in common with the machine's, as in a container.
    @Test(.enabled(if: canWrap, "needs root and bubblewrap")) func aContainersProgramOfTheSamePath() async throws {
        let attack = try await Attack()
        let container = wrapped(attack, info: ["--ro-bind", attack.other, attack.folder.path + "/container"])
        try await attack.grant("exe:\(attack.folder.path)/container")
        let lines = try await attack.run(
            "print(os.readlink('/proc/self/exe'))\nprint(ask())", as: attack.folder.path + "/container",
            through: container)
        #expect(lines == ["\(attack.folder.path)/container", "PermissionDenied"])
    }

    /// Attack: a granted program is replaced while it runs; what runs is no longer what was granted.
    @Test func aProgramThatIsReplaced() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            "os.rename(OTHER, GRANTED)\nprint(ask())\nos.unlink(GRANTED)\nprint(ask())", as: attack.granted)
        #expect(lines == ["PermissionDenied", "PermissionDenied"])
    }

    /// Attack: a client says that it is another app, or another user's, as GeoClue's clients may.
    @Test func aClientThatNamesAnotherApp() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            connection = connect()
            for claim in ({"app": "exe:" + GRANTED}, {"desktopId": "org.gnome.Maps"}, {"uid": 0}, {"pid": DAEMON}):
                print(ask(connection, "GetLocation", claim))
                print(ask(connection, "Subscribe", claim, more=True))
                print(ask(connection, "GetLocation", {}, **claim))
            print(ask(connection, "GetAuthorization"))
            """, as: attack.other)
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
    /// How many connections to the public socket there are.
    func connections() async throws -> Int {
        try await daemon.call(GetStatistics.self, Nothing()).statistics.connections
    }
}
