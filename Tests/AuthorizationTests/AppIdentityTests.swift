import Testing

@testable import Authorization

@Suite struct AppIdentityTests {
    @Test(arguments: [
        ("exe:/usr/bin/foo", AppIdentity.Strength.advisory), ("app:org.kde.marble", .advisory),
        ("flatpak:org.gnome.Maps", .sandboxed), ("snap:firefox", .sandboxed), ("service:chrony", .service),
        ("exe:/opt/a b/c:d", .advisory),
    ])
    func textAndBack(text: String, strength: AppIdentity.Strength) throws {
        let identity = try #require(AppIdentity(text))
        #expect(identity.description == text)
        #expect(identity.strength == strength)
    }

    @Test(arguments: [
        "", "exe", "exe:", "exe:foo", "foo:bar", "app:a/b", "service:", "EXE:/usr/bin/foo", "exe:/usr/bin/\u{1b}[2J",
        "app:a\nb",
    ])
    func notAnIdentity(text: String) {
        #expect(AppIdentity(text) == nil)
    }

    private let manager = "/user.slice/user-1000.slice/user@1000.service/app.slice"

    private func identity(_ path: String, executable: String? = "/usr/bin/x", info: String? = nil, uid: UInt32 = 1000)
        throws -> String
    {
        try AppIdentity.of(
            ProcessEvidence(uid: uid, cgroup: "0::\(path)\n", executable: executable, flatpakInfo: info)
        ).description
    }

    @Test(arguments: [
        ("/user.slice/user-1000.slice/session-2.scope", "exe:/usr/bin/x"),
        ("/", "exe:/usr/bin/x"),
        ("/system.slice/chrony.service", "service:chrony"),
        ("/system.slice/system-getty.slice/getty@tty1.service", "service:getty@tty1"),
        ("/system.slice/my\\x2dapp.service/worker", "service:my-app"),
        ("/user.slice/evil.service", "exe:/usr/bin/x"),
        ("APP/app-gnome-org.gnome.Maps-4711.scope", "app:org.gnome.Maps"),
        ("APP/app-org.kde.marble-4711.scope", "app:org.kde.marble"),
        ("APP/app-org.kde.marble@abc.service", "app:org.kde.marble"),
        ("APP/app-KDE-org.kde.marble@abc.service", "app:org.kde.marble"),
        ("APP/app-firefox\\x2desr-1.scope", "app:firefox-esr"),
        ("APP/app-org.gnome.Terminal.slice/vte-spawn-1-2.scope", "exe:/usr/bin/x"),
        ("APP/snap.firefox.firefox.1-2-3.scope", "snap:firefox"),
        ("/system.slice/snap.lxd.daemon.service", "snap:lxd"),
    ])
    func fromControlGroup(path: String, expected: String) throws {
        let path = path.hasPrefix("APP") ? manager + path.dropFirst(3) : path
        #expect(try identity(path) == expected)
    }

    @Test func theOldHierarchyIsReadWhereThereIsNoUnifiedOne() throws {
        let cgroup = "9:name=systemd:/system.slice/foo.service\n8:pids:/system.slice/bar.service\n0::/\n"
        let evidence = ProcessEvidence(uid: 0, cgroup: cgroup, executable: "/usr/bin/x")
        #expect(try AppIdentity.of(evidence).description == "service:foo")
    }

    @Test func anotherUsersAppUnitNamesNothing() throws {
        // sudo leaves a process of root in the scope of the caller's app.
        #expect(try identity(manager + "/app-org.kde.marble-1.scope", uid: 0) == "exe:/usr/bin/x")
    }

    @Test func flatpakNeedsBothToAgree() throws {
        let scope = manager + "/app-flatpak-org.gnome.Maps-77.scope"
        let info = "[Application]\nname=org.gnome.Maps\nruntime=x\n"
        #expect(try identity(scope, info: info) == "flatpak:org.gnome.Maps")
        #expect(throws: IdentityRefusal.flatpakDisagrees) { try identity(scope) }
        #expect(throws: IdentityRefusal.flatpakDisagrees) { try identity("/", info: info) }
        #expect(throws: IdentityRefusal.flatpakDisagrees) {
            try identity(scope, info: "[Application]\nname=org.other\n")
        }
        #expect(throws: IdentityRefusal.flatpakDisagrees) {
            try identity(scope, info: "[Runtime]\nname=org.gnome.Maps\n")
        }
        #expect(throws: IdentityRefusal.flatpakDisagrees) { try identity("/", info: "") }
    }

    @Test func whatCannotBeReadIsRefused() throws {
        #expect(throws: IdentityRefusal.executableUnreadable) { try identity("/", executable: nil) }
        #expect(throws: IdentityRefusal.executableReplaced) { try identity("/", executable: "/usr/bin/x (deleted)") }
        #expect(throws: IdentityRefusal.unusableName) { try identity("/", executable: "/tmp/a\u{7}b") }
    }
}
