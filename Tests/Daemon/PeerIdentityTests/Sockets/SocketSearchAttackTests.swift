import AuthorizationPolicy
import Foundation
import Glibc
import TestSupport
import Testing

@testable import PeerIdentity

/// Processes that keep the search for the holders of a socket from reading them, in a folder like `/proc`.
@Suite struct SocketSearchAttackTests {
    private static let inode: UInt32 = 4711

    /// A folder with processes of this user, which all hold the socket.
    private struct Proc {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        func path(_ pid: Int) -> String { "\(folder.path)/\(pid)" }

        /// Adds a process with these descriptors, and the contents of its status file.
        func add(_ pid: Int, descriptors: [String] = ["0", "7"], status: [UInt8]? = nil) throws {
            try FileManager.default.createDirectory(atPath: path(pid) + "/fd", withIntermediateDirectories: true)
            for name in descriptors {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path(pid))/fd/\(name)",
                    withDestinationPath: name == "0" ? "/dev/null" : "socket:[\(SocketSearchAttackTests.inode)]")
            }
            try FileManager.default.createSymbolicLink(
                atPath: path(pid) + "/exe", withDestinationPath: "/usr/bin/viewer")
            let own = "Name:\tviewer\nUid:\t\(geteuid())\t1\t2\t3\n"
            try Data(status ?? Array(own.utf8)).write(to: URL(filePath: path(pid) + "/status"))
        }

        func holders(uid: UInt32 = geteuid()) throws -> [Int: Int] {
            let found = try SocketSearch.holders(
                of: [SocketSearchAttackTests.inode], uid: uid, proc: folder.path)[SocketSearchAttackTests.inode]
            return Dictionary(uniqueKeysWithValues: (found ?? []).map { (Int($0.pid), Int($0.descriptor)) })
        }
    }

    @Test func theFolderIsReadLikeProc() throws {
        let proc = try Proc()
        for pid in [1, 23, 4_194_304] { try proc.add(pid) }
        try proc.folder.write("", to: "version")
        #expect(try proc.holders() == [1: 7, 23: 7, 4_194_304: 7])
    }

    /// Attack: a process names itself with bytes that are no text, or after another line of the file. The kernel
    /// writes a line break as `\n`. A client whose name was cut within a letter has such a name too.
    @Test(
        arguments: [
            [0xFF], Array("\u{E9}".utf8.dropLast()), Array(#"x\nUid:\t9\t9\t9\t9"#.utf8), Array("Uid:\t9".utf8), [0x0D],
            [0xCC, 0x81], Array("caf".utf8) + [0xC3], [UInt8](repeating: 0xFF, count: 60),
        ] as [[UInt8]])
    func aNameOfAnyBytes(_ name: [UInt8]) throws {
        let proc = try Proc()
        let rest = "\nUmask:\t0022\nUid:\t\(geteuid())\t1\t2\t3\nGid:\t9\t9\t9\t9\nGroups:\t"
        try proc.add(5, status: "Name:\t".utf8 + name + rest.utf8)
        #expect(try proc.holders() == [5: 7])
        #expect(try ProcFile.uids(proc.path(5)) == [geteuid(), 1, 2, 3])
    }

    /// The rest of a long file is not needed.
    @Test func manyGroups() throws {
        let proc = try Proc()
        let groups = (0..<65_536).map(String.init).joined(separator: " ")
        try proc.add(5, status: Array("Name:\tx\nUid:\t\(geteuid())\t1\t2\t3\nGroups:\t\(groups)\n".utf8))
        #expect(try proc.holders() == [5: 7])
    }

    /// Attack: a process that holds the socket cannot be read, and another one appears to hold it alone.
    @Test(.enabled(if: geteuid() == 0, "only root's processes have their user read"))
    func aStatusThatCannotBeRead() throws {
        for status in ["", "Name:\tx\n", "Uid:\t0\t0\n", "Uid:\t0\t0\t0\tx\n", "Uid:\t0 0 0 0\n"] {
            let proc = try Proc()
            try proc.add(5)
            try proc.add(6, status: Array(status.utf8))
            #expect(throws: IdentityRefusal.processUnreadable) { try proc.holders() }
        }
        let proc = try Proc()
        try proc.add(5)
        try FileManager.default.removeItem(atPath: proc.path(5) + "/status")
        try FileManager.default.createDirectory(atPath: proc.path(5) + "/status", withIntermediateDirectories: true)
        #expect(throws: IdentityRefusal.processUnreadable) { try proc.holders() }
    }

    @Test func descriptorsThatCannotBeRead() throws {
        let proc = try Proc()
        try proc.add(5)
        try proc.add(6, descriptors: [])
        try FileManager.default.removeItem(atPath: proc.path(6) + "/fd")
        try Data().write(to: URL(filePath: proc.path(6) + "/fd"))
        #expect(throws: IdentityRefusal.processUnreadable) { try proc.holders() }
        // Neither is this one a link.
        let other = try Proc()
        try other.add(5)
        try Data().write(to: URL(filePath: other.path(5) + "/fd/9"))
        #expect(throws: IdentityRefusal.processUnreadable) { try other.holders() }
        #expect(throws: IdentityRefusal.processUnreadable) {
            try SocketSearch.holders(of: [1], uid: geteuid(), proc: other.folder.path + "/none")
        }
    }

    /// A process that ends meanwhile takes its folders with it, and so does a descriptor that is closed.
    @Test func aProcessThatHasEnded() throws {
        let proc = try Proc()
        try proc.add(5)
        try proc.add(6)
        try FileManager.default.removeItem(atPath: proc.path(6) + "/fd")
        try proc.add(7)
        try FileManager.default.removeItem(atPath: proc.path(7) + "/status")
        // Only of root's processes the user is read.
        #expect(try proc.holders() == (geteuid() == 0 ? [5: 7] : [5: 7, 7: 7]))
    }

    /// Attack: a user connects without end, and each search has the kernel write the status of all its threads, which
    /// hold nothing.
    @Test(.enabled(if: geteuid() == 0, "only root's processes have their user read"))
    func aKernelThread() throws {
        let proc = try Proc()
        try proc.add(5)
        try proc.add(6, status: [])
        #expect(throws: IdentityRefusal.processUnreadable) { try proc.holders() }
        try FileManager.default.removeItem(atPath: proc.path(6) + "/exe")
        #expect(try proc.holders() == [5: 7])
    }

    @Test func whichErrorsArePassedOver() {
        for errno in [ENOENT, ESRCH] { #expect(SocketSearch.isPassedOver(errno, uid: 1000, reader: 0)) }
        for errno in [EACCES, EPERM] {
            #expect(!SocketSearch.isPassedOver(errno, uid: 1000, reader: 0))
            #expect(!SocketSearch.isPassedOver(errno, uid: 0, reader: 1000))
            #expect(!SocketSearch.isPassedOver(errno, uid: 1000, reader: 65534))
            // systemd's "(sd-pam)", to a daemon that its user has started.
            #expect(SocketSearch.isPassedOver(errno, uid: 1000, reader: 1000))
            // The errors of a sandbox that restricts root.
            #expect(SocketSearch.isPassedOver(errno, uid: 0, reader: 0))
        }
        for errno in [EMFILE, ENFILE, ENOMEM, EIO, ENOTDIR, EINVAL] {
            #expect(!SocketSearch.isPassedOver(errno, uid: 1000, reader: 1000))
        }
    }

    /// Attack: the descriptor has so high a number that the search does not parse it (nr_open, proc(5)).
    @Test func aHighDescriptor() throws {
        let proc = try Proc()
        try proc.add(5, descriptors: ["2147483583"])
        #expect(try proc.holders() == [5: 2_147_483_583])
    }
}
