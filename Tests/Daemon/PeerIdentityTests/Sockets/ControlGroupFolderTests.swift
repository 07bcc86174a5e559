import AuthorizationPolicy
import Foundation
import Glibc
import TestSupport
import Testing

@testable import PeerIdentity

/// The control groups that belong to the unit of a process.
@Suite struct ControlGroupFolderTests {
    /// Returns the path of the unit that a file names.
    private static func unit(_ file: [UInt8]) -> [UInt8]? {
        ControlGroup(file).unit.map { $0.flatMap { [UInt8(ascii: "/")] + $0 } }
    }

    @Test(arguments: [
        ("0::/system.slice/chrony.service\n", "/system.slice/chrony.service"),
        (
            "0::/system.slice/system-getty.slice/getty@tty1.service/x\n",
            "/system.slice/system-getty.slice/getty@tty1.service"
        ),
        (
            "12:pids:/x\n1:name=systemd:/y\n0::/user.slice/user-1000.slice/session-3.scope\n",
            "/user.slice/user-1000.slice/session-3.scope"
        ),
        (
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-maps-7.scope/a/b\n",
            "/user.slice/user-1000.slice/user@1000.service/app.slice/app-maps-7.scope"
        ),
        ("0::/init.scope\n", "/init.scope"),
    ])
    func theUnit(_ file: String, _ unit: String) {
        #expect(Self.unit(Array(file.utf8)) == Array(unit.utf8))
    }

    /// Attack: a part of the tree that many apps share counts as a unit.
    @Test(arguments: [
        "0::/\n", "0::/system.slice\n", "0::/docker/0123\n", "0::/user.slice/user-1000.slice/user@1000.service\n",
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice\n", "0::/lxc.payload.deck/system.slice/a.service\n",
    ])
    func noUnit(_ file: String) {
        #expect(Self.unit(Array(file.utf8)) == nil)
    }

    @Test(arguments: [
        "", "\n", "0::\n", "1:name=systemd:/a.service\n", "0::/../a.service\n", "0::/a.slice/../b.scope\n",
        "0::/a.service/..\n", "1::/a.service\n", "0:pids:/a.service\n", "0::a.service\n",
    ])
    func noPlace(_ file: String) {
        #expect(ControlGroup(Array(file.utf8)).place == nil)
        #expect(Self.unit(Array(file.utf8)) == nil)
    }

    /// A folder with the tree of a machine, and the ids of its groups.
    private struct Tree {
        let folder: TemporaryFolder

        init(_ paths: [String]) throws {
            folder = try TemporaryFolder()
            for path in paths {
                try FileManager.default.createDirectory(
                    atPath: folder.path + path, withIntermediateDirectories: true)
            }
        }

        func id(_ path: String) -> UInt64 {
            var status = stat()
            return stat(folder.path + path, &status) == 0 ? UInt64(status.st_ino) : 0
        }

        func shares(_ place: String, _ path: String) -> Bool {
            let place = ControlGroup(Array("0::\(place)\n".utf8))
            return place.groups(among: [id(path)], root: folder.path) == [id(path)]
        }
    }

    @Test func groupsOfOneUnit() throws {
        let tree = try Tree([
            "/system.slice/a.service/x/y", "/system.slice/a.service/z", "/system.slice/b.service", "/docker/1",
            "/docker/2",
        ])
        for place in ["", "/x", "/x/y", "/z"] {
            for other in ["", "/x", "/x/y", "/z"] {
                #expect(tree.shares("/system.slice/a.service" + place, "/system.slice/a.service" + other))
            }
            #expect(!tree.shares("/system.slice/a.service" + place, "/system.slice/b.service"))
            #expect(!tree.shares("/system.slice/a.service" + place, "/system.slice"))
            #expect(!tree.shares("/system.slice/b.service", "/system.slice/a.service" + place))
        }
        #expect(tree.shares("/docker/1", "/docker/1"))
        #expect(!tree.shares("/docker/1", "/docker/2"))
        #expect(tree.shares("/", "/"))
        #expect(!tree.shares("/", "/docker"))
    }

    /// Attack: an app of the same user gives its socket to another one, whose unit is beside its own.
    @Test func unitsOfOneUser() throws {
        let manager = "/user.slice/user-1000.slice/user@1000.service"
        let tree = try Tree([manager + "/app.slice/app-maps-7.scope", manager + "/app.slice/app-flatpak-org.x-9.scope"])
        let (maps, other) = ("\(manager)/app.slice/app-maps-7.scope", "\(manager)/app.slice/app-flatpak-org.x-9.scope")
        #expect(tree.shares(maps, maps))
        #expect(!tree.shares(maps, other))
        #expect(!tree.shares(manager, other))
        #expect(!tree.shares(manager + "/app.slice", other))
    }

    /// Attack: a user who may manage part of the tree creates groups whose names are no text, or which as text do not
    /// begin after a slash: a combining accent joins it, and a carriage return joins the line break.
    @Test func namesAreBytes() throws {
        let unit = "/user.slice/user-1000.slice/user@1000.service/app.slice/app-maps-7.scope"
        for name: [UInt8] in [[0xFF], [0xCC, 0x81, 0x78], [0x78, 0x0D], [0xE2, 0x84, 0xAA]] {
            let file = "0::\(unit)/".utf8 + name + "\n".utf8
            #expect(Self.unit(file) == Array(unit.utf8))
            let first = "0::/".utf8 + name + "/a.scope\n".utf8
            #expect(Self.unit(first) == nil)
            let line = "1:name=systemd:/".utf8 + name + "\n0::\(unit)\n".utf8
            #expect(Self.unit(line) == Array(unit.utf8))
            let tree = try Tree([unit])
            let folder = "\(tree.folder.path)\(unit)/".utf8 + name
            try #require(mkdir(folder.map(CChar.init(bitPattern:)) + [0], 0o755) == 0)
            var status = stat()
            try #require(stat(folder.map(CChar.init(bitPattern:)) + [0], &status) == 0)
            let id = UInt64(status.st_ino)
            #expect(ControlGroup(Array("0::\(unit)\n".utf8)).groups(among: [id], root: tree.folder.path) == [id])
            #expect(ControlGroup(file).groups(among: [id], root: tree.folder.path) == [id])
        }
    }

    @Test func severalGroupsAtOnce() throws {
        let tree = try Tree(["/system.slice/a.service/x", "/system.slice/a.service/y", "/system.slice/b.service"])
        let own = Set(["", "/x", "/y"].map { tree.id("/system.slice/a.service" + $0) })
        let place = ControlGroup(Array("0::/system.slice/a.service/x\n".utf8))
        #expect(place.groups(among: own.union([tree.id("/system.slice/b.service")]), root: tree.folder.path) == own)
        #expect(place.groups(among: [], root: tree.folder.path).isEmpty)
    }

    /// The control group of a process that has left it no longer exists.
    @Test func aGroupThatIsGone() throws {
        let tree = try Tree(["/system.slice/a.service"])
        #expect(!tree.shares("/system.slice/b.service", "/system.slice/a.service"))
        #expect(!tree.shares("/system.slice/b.service", "/nowhere"))
    }

    /// Attack: a unit divides itself into so many groups that the search in it does not end.
    @Test func theSearchInAUnitIsGivenUp() throws {
        let tree = try Tree((0..<1100).map { "/system.slice/a.service/\($0)" } + ["/b"])
        #expect(!tree.shares("/system.slice/a.service", "/b"))
        let found = (0..<1100).filter { tree.shares("/system.slice/a.service", "/system.slice/a.service/\($0)") }
        #expect(found.count == 1024)
        // A process's own group needs no search.
        #expect((0..<1100).allSatisfy { tree.shares("/system.slice/a.service/\($0)", "/system.slice/a.service/\($0)") })
    }
}
