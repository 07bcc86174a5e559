import LocationModel
import Testing

@testable import AuthorizationPolicy

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

    /// Attack: a program has a path that Swift's strings consider equal to the path of another program.
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212A}eeper", "Keeper")])
    func canonicallyEquivalentNamesAreTwoApps(name: String, twin: String) throws {
        #expect(name == twin)
        let app = try #require(AppIdentity("exe:/opt/\(name)")), other = try #require(AppIdentity("exe:/opt/\(twin)"))
        #expect(app != other)
        let table = AuthorizationTable(decisions: [AppKey(uid: 1, app: app): Decision(level: .always)])
        #expect(table.authorization(of: AppKey(uid: 1, app: app)).status == .authorizedAlways)
        #expect(table.authorization(of: AppKey(uid: 1, app: other)).status == .notDetermined)
    }

    private let manager = "/user.slice/user-1000.slice/user@1000.service/app.slice"

    private func identity(
        _ path: String, executable: String? = "/usr/bin/x", info: String? = nil, label: String? = nil,
        uid: UInt32 = 1000
    ) throws -> String {
        try AppIdentity.of(
            ProcessEvidence(
                uid: uid, cgroup: "0::\(path)\n", executable: executable, flatpakInfo: info, securityLabel: label)
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
        ("APP/sub.slice/app-org.kde.marble-1.scope/its-own", "app:org.kde.marble"),
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

    /// Attack: a process that may create control groups somewhere in the tree gives one of them the name of another
    /// app's unit.
    @Test(arguments: [
        // Below the part of a container or of another unit
        ("/system.slice/docker-1.scope/system.slice/chrony.service", "exe:/usr/bin/x"),
        ("/system.slice/docker-1.scope/chrony.service", "exe:/usr/bin/x"),
        ("/machine.slice/system.slice/chrony.service", "exe:/usr/bin/x"),
        ("/system.slice/my.service/chrony.service", "service:my"),
        ("/system.slice/my.service/app-org.kde.marble-1.scope", "service:my"),
        // Below a user's part
        ("MANAGER/app.slice/system.slice/chrony.service", "exe:/usr/bin/x"),
        ("APP/app-org.gnome.Terminal-1.scope/app-org.kde.marble-1.scope", "app:org.gnome.Terminal"),
        // Outside the place where systemd puts user managers
        ("/user@1000.service/app.slice/app-org.kde.marble-1.scope", "exe:/usr/bin/x"),
        ("/machine.slice/user@1000.service/app.slice/app-org.kde.marble-1.scope", "exe:/usr/bin/x"),
        ("/user.slice/user-1001.slice/user@1000.service/app.slice/app-org.kde.marble-1.scope", "exe:/usr/bin/x"),
        ("/user.slice/user-1000.slice/session-2.scope/app-org.kde.marble-1.scope", "exe:/usr/bin/x"),
        // Outside the part of the tree that the reader sees
        ("/../system.slice/chrony.service", "exe:/usr/bin/x"),
        ("/system.slice/../chrony.service", "exe:/usr/bin/x"),
        ("/system.slice/chrony.service/..", "exe:/usr/bin/x"),
        ("APP/app-org.kde.marble-1.scope/..", "exe:/usr/bin/x"),
    ])
    func aForgedControlGroup(path: String, expected: String) throws {
        let path = path.replacing("MANAGER", with: manager.dropLast(10)).replacing("APP", with: manager)
        #expect(try identity(path) == expected)
    }

    @Test(arguments: [
        "0::/\n7:pids:%\n1:name=systemd:/user.slice\n", "9:pids:%\n1:name=systemd:/user.slice\n",
        "0::/user.slice\n7::/system.slice/chrony.service\n", "7::/system.slice/chrony.service\n",
        "0::system.slice/chrony.service\n",
    ])
    func aControlGroupThatLooksLikeALine(lines: String) throws {
        let forged = lines.replacing("%", with: "/x:name=systemd:/system.slice/chrony.service")
        let evidence = ProcessEvidence(uid: 1000, cgroup: forged, executable: "/usr/bin/x")
        #expect(try AppIdentity.of(evidence).description == "exe:/usr/bin/x")
    }

    /// Attack: a user creates groups below an app's own unit, so that the text around them is read as one character.
    @Test func aControlGroupThatJoinsCharacters() throws {
        let unit = manager + "/app-org.kde.marble-1.scope"
        for name in ["/x\r", "/\u{301}", "/\u{301}x/system.slice/chrony.service"] {
            #expect(try identity(unit + name) == "app:org.kde.marble")
        }
        // Two hierarchies: the end of the first line looks like a part of the line break.
        let lines = "0::\(unit)/x\r\n1:name=systemd:/system.slice/chrony.service\n"
        let evidence = ProcessEvidence(uid: 1000, cgroup: lines, executable: "/usr/bin/x")
        #expect(try AppIdentity.of(evidence).description == "app:org.kde.marble")
        #expect(throws: IdentityRefusal.flatpakMismatch) { try identity(manager + "/flatpak-\u{301}x-1.scope") }
    }

    @Test(arguments: [
        "/app-flatpak-org.gnome.Maps-77.scope", "/machine.slice/app-flatpak-org.gnome.Maps-77.scope",
        "/user.slice/user-1001.slice/user@1001.service/app.slice/app-flatpak-org.gnome.Maps-77.scope",
        "APP/app-org.kde.marble-1.scope/app-flatpak-org.gnome.Maps-77.scope",
        "/system.slice/chrony.service/flatpak-org.gnome.Maps-77.scope", "/../app-flatpak-org.gnome.Maps-77.scope",
    ])
    func aFlatpakScopeInAnotherPlace(path: String) {
        let path = path.replacing("APP", with: manager)
        for info in [nil, "[Application]\nname=org.gnome.Maps\n"] {
            #expect(throws: IdentityRefusal.flatpakMismatch) { try identity(path, info: info) }
        }
    }

    @Test func aSnapIsConfinedAsOne() throws {
        let scope = manager + "/snap.firefox.firefox.1-2-3.scope"
        #expect(try identity(scope, label: "snap.firefox.firefox (enforce)\n") == "snap:firefox")
        // A classic snap: it is not confined.
        #expect(try identity(scope, label: "snap.firefox.firefox (complain)\n") == "exe:/usr/bin/x")
        for label in [nil, "unconfined\n", "snap.other.firefox (enforce)\n", "snap.firefoxes.x (enforce)", ""] {
            #expect(throws: IdentityRefusal.snapMismatch) { try identity(scope, label: label) }
        }
        for path in ["/snap.firefox.firefox.1.scope", "/system.slice/snap.firefox.firefox.1.scope"] {
            #expect(throws: IdentityRefusal.snapMismatch) {
                try identity(path, label: "snap.firefox.firefox (enforce)")
            }
        }
    }

    @Test func anotherUsersAppUnitNamesNothing() throws {
        // sudo leaves a root process in the scope of the caller's app.
        #expect(try identity(manager + "/app-org.kde.marble-1.scope", uid: 0) == "exe:/usr/bin/x")
    }

    @Test func flatpakNeedsBothToAgree() throws {
        let scope = manager + "/app-flatpak-org.gnome.Maps-77.scope"
        let info = "[Application]\nname=org.gnome.Maps\nruntime=x\n"
        #expect(try identity(scope, info: info) == "flatpak:org.gnome.Maps")
        #expect(throws: IdentityRefusal.flatpakMismatch) { try identity(scope) }
        #expect(throws: IdentityRefusal.flatpakMismatch) { try identity("/", info: info) }
        #expect(throws: IdentityRefusal.flatpakMismatch) {
            try identity(scope, info: "[Application]\nname=org.other\n")
        }
        #expect(throws: IdentityRefusal.flatpakMismatch) {
            try identity(scope, info: "[Runtime]\nname=org.gnome.Maps\n")
        }
        #expect(throws: IdentityRefusal.flatpakMismatch) { try identity("/", info: "") }
    }

    @Test func whatCannotBeReadIsRefused() throws {
        #expect(throws: IdentityRefusal.executableUnreadable) { try identity("/", executable: nil) }
        #expect(throws: IdentityRefusal.executableReplaced) { try identity("/", executable: "/usr/bin/x (deleted)") }
        #expect(throws: IdentityRefusal.unusableName) { try identity("/", executable: "/tmp/a\u{7}b") }
        let evidence = ProcessEvidence(uid: 0, cgroup: "0::/\n", executable: "/usr/bin/x", hasPrivateExecutable: true)
        #expect(throws: IdentityRefusal.privateExecutable) { try AppIdentity.of(evidence) }
    }

    /// Podman's groups, as its units have them, and as `podman run` without a unit makes them.
    ///
    /// Attack: a container's image has a program at the path of a program of the machine that was granted the location,
    /// or the container runs the machine's own program. Both are refused outside of a unit, and the log says how a
    /// container gets a grant.
    @Test(arguments: [
        ("/system.slice/tracker.service/libpod-payload-0a1b", "service:tracker"),
        ("APP/app-tracker.service/libpod-payload-0a1b", "app:tracker"),
        ("APP/tracker.service/libpod-payload-0a1b", nil),
        ("MANAGER/user.slice/libpod-0a1b.scope/container", nil),
        ("/machine.slice/libpod-0a1b.scope/container", nil),
        ("/system.slice/docker-0a1b.scope", nil),
        // A subordinate user's process in the unit of its owner.
        ("/user.slice/user-1001.slice/user@1001.service/app.slice/app-tracker.service/libpod-payload-0a1b", nil),
    ]) func aContainerHasTheIdentityOfItsUnit(path: String, expected: String?) throws {
        let path = path.replacing("MANAGER", with: manager.dropLast(10)).replacing("APP", with: manager)
        for (isFromImage, refusal) in [(true, IdentityRefusal.privateExecutable), (false, .confined)] {
            let evidence = ProcessEvidence(
                uid: 1000, cgroup: "0::\(path)\n", executable: "/usr/bin/x", hasPrivateExecutable: isFromImage,
                isConfined: true)
            if let expected {
                #expect(try AppIdentity.of(evidence).description == expected)
            } else {
                #expect(throws: refusal) { try AppIdentity.of(evidence) }
                #expect("\(refusal)".hasSuffix("see \"In a container\" in app-developers.md"))
            }
        }
    }
}
