import CLinux
import Foundation
import Glibc
import PeerIdentity
import TestSupport
import Testing

/// The rules for an app's socket, each with the attack that it prevents. More of the attacks can be carried out as
/// root.
@Suite struct WakeSocketTests {
    private let temporary: TemporaryFolder
    /// The path without symbolic links, even if the folder for temporary files is one.
    private let folder: String
    private let line = Array("{\"method\":\"m\"}".utf8)
    private static let isRoot = geteuid() == 0
    /// A user who is not involved in the tests.
    private let stranger = geteuid() + 12_345

    init() throws {
        temporary = try TemporaryFolder()
        folder = URL(filePath: temporary.path).resolvingSymlinksInPath().path(percentEncoded: false)
        // As root, files are looked up with the rights of the other user.
        chmod(folder, 0o755)
    }

    private func attempt(_ path: String, of uid: UInt32 = geteuid(), line: [UInt8]?) -> WakeRefusal? {
        do throws(WakeRefusal) { try WakeSocket.attempt(path, of: uid, line: line) } catch { return error }
        return nil
    }

    /// Expects that both a check and a wake are refused, with `reason` in the description.
    private func expectRefusal(
        _ path: String, of uid: UInt32 = geteuid(), _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for line in [nil, line] {
            let refusal = attempt(path, of: uid, line: line)
            #expect(
                refusal?.description.contains(reason) == true, "\(refusal?.description ?? "not refused")",
                sourceLocation: sourceLocation)
        }
    }

    /// Expects that both a check and a wake are refused with the text that says nothing about the path, and with this
    /// finding for the log.
    private func expectNothing(
        _ path: String, of uid: UInt32 = geteuid(), _ finding: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for line in [nil, line] {
            expectNothing(attempt(path, of: uid, line: line), path, of: uid, finding, sourceLocation: sourceLocation)
        }
    }

    private func expectNothing(
        _ refusal: WakeRefusal?, _ path: String, of uid: UInt32 = geteuid(), _ finding: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            refusal?.description
                == "\(path) is not a stream socket on which user \(uid) listens: give the socket's own path, without "
                + "symbolic links and through folders that the user may search, and listen there "
                + "(ListenStream=\(path) in a systemd .socket unit of the user)", sourceLocation: sourceLocation)
        #expect(refusal?.finding == finding, sourceLocation: sourceLocation)
    }

    @Test func theLineArrives() throws {
        let listener = try Listener(folder + "/app")
        #expect(attempt(listener.path, line: nil) == nil)
        // A check starts no app.
        #expect(!listener.hasPendingConnection)
        #expect(attempt(listener.path, line: line) == nil)
        #expect(try listener.received() == "{\"method\":\"m\"}\n")
        // A second time, with the longest line allowed and no reader yet.
        let longest = [UInt8](repeating: 0x78, count: WakeSocket.maximumLineLength)
        #expect(attempt(listener.path, line: longest) == nil)
        #expect(try listener.received() == String(repeating: "x", count: 8192) + "\n")
    }

    @Test func theLongestPath() throws {
        let name = String(repeating: "n", count: WakeSocket.maximumPathLength - folder.utf8.count - 1)
        let listener = try Listener(folder + "/" + name)
        #expect(attempt(listener.path, line: line) == nil)
        #expect(try listener.received() != nil)
        expectRefusal(listener.path + "n", "longer than 107 bytes")
    }

    @Test func nobodyThere() throws {
        expectNothing(folder + "/app", "No such file or directory")
        let deaf = try Listener(folder + "/app", backlog: nil)
        // The socket itself is valid. Only its use shows that no process listens.
        #expect(attempt(deaf.path, line: nil) == nil)
        expectNothing(attempt(deaf.path, line: line), deaf.path, "Connection refused")
    }

    @Test func onlyStreamSockets() throws {
        let datagrams = try Listener(folder + "/app", type: SOCK_DGRAM, backlog: nil)
        expectNothing(attempt(datagrams.path, line: line), datagrams.path, "Protocol wrong type for socket")
    }

    @Test func invalidPaths() throws {
        let listener = try Listener(folder + "/app")
        for path in ["", "app", "./app", "@app"] { expectRefusal(path, "not absolute") }
        for path in ["/..\(folder)/app", "\(folder)/../\(temporary.path)/app", "\(folder)/./app", "\(folder)/app/"] {
            expectRefusal(path, "a part that is . or ..")
        }
        // When opened, the first path would be cut off at the NUL. In the log, the app would have written the second
        // line.
        for path in ["\(folder)/app\0/elsewhere", "\(folder)/app\nlocationd: all is well"] {
            expectRefusal(path, "control characters")
        }
        #expect(!listener.hasPendingConnection)
    }

    /// Attack: a sandboxed app, or an attacker who has taken over the daemon, learns which files exist outside the
    /// sandbox, or in other users' folders.
    @Test func onlySockets() throws {
        try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
        expectNothing(folder + "/file", "not a socket")
        expectNothing(folder, "not a socket")
        try #require(mkfifo(folder + "/fifo", 0o600) == 0)
        expectNothing(folder + "/fifo", "not a socket")
        expectNothing(folder + "/file/app", "Not a directory")
    }

    /// Attack: a symbolic link. Here it leads to the app's own socket, but it could lead to one that only the daemon
    /// may write to.
    @Test func linksAreNotFollowed() throws {
        try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: false)
        chmod(folder + "/real", 0o755)
        let listener = try Listener(folder + "/real/app")
        try #require(symlink("app", folder + "/real/link") == 0)
        try #require(symlink("real", folder + "/way") == 0)
        expectNothing(folder + "/real/link", "Too many levels of symbolic links")
        expectNothing(folder + "/way/app", "Too many levels of symbolic links")
        // A link of another kind: to a file that another process has open.
        let place = path_open(listener.path)
        defer { close(place) }
        expectNothing("/proc/\(getpid())/fd/\(place)", "Too many levels of symbolic links")
        expectNothing("/proc/\(getpid())/cwd\(listener.path)", "Too many levels of symbolic links")
        #expect(!listener.hasPendingConnection)
    }

    /// The second way is the only one on kernels before Linux 5.6, and under seccomp filters that do not know
    /// openat2(2).
    @Test(arguments: [path_open, path_open_stepwise] as [@Sendable (UnsafePointer<CChar>?) -> CInt])
    func bothWaysOfOpening(open: @Sendable (UnsafePointer<CChar>?) -> CInt) throws {
        let listener = try Listener(folder + "/app")
        try #require(mkdir(folder + "/d", 0o755) == 0)
        try #require(symlink("app", folder + "/link") == 0)
        try #require(symlink("d", folder + "/way") == 0)
        try #require(rename(listener.path, folder + "/d/app") == 0 && symlink("d/app", folder + "/far") == 0)
        for path in ["/d/app", "//d///app", "/d", "/d/"] {
            let descriptor = open(folder + path)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            var (found, named) = (stat(), stat())
            #expect(fstat(descriptor, &found) == 0 && lstat(folder + path, &named) == 0)
            #expect(found.st_ino == named.st_ino && found.st_dev == named.st_dev)
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            // The descriptor marks a place only: nothing can be read or written through it.
            #expect(read(descriptor, &found, 0) == -1 && errno == EBADF)
        }
        for path in ["/link", "/far", "/way/app", "/way/", "/d/app/", "/d/app/x"] {
            #expect([-ELOOP, -ENOTDIR].contains(open(folder + path)), "\(path)")
        }
        #expect(open(folder + "/none") == -ENOENT)
        #expect(open(folder + "/none/app") == -ENOENT)
        #expect(open(folder + "/" + String(repeating: "n", count: 256)) == -ENAMETOOLONG)
    }

    @Test func anotherUsersSocket() throws {
        let listener = try Listener(folder + "/app")
        chmod(listener.path, 0o666)
        expectNothing(listener.path, of: stranger, "owned by user \(geteuid())")
        #expect(!listener.hasPendingConnection)
    }

    @Test(.enabled(if: isRoot)) func anotherUsersSocketAlsoForRoot() throws {
        let listener = try Listener(folder + "/app")
        try #require(chown(listener.path, stranger, .max) == 0)
        expectNothing(listener.path, of: 0, "owned by user \(stranger)")
        #expect(!listener.hasPendingConnection)
    }

    /// Attack: the file belongs to the app's user, but another user's process (this one) would read the line.
    @Test(.enabled(if: isRoot)) func anotherUserListens() throws {
        let listener = try Listener(folder + "/app")
        try #require(chown(listener.path, stranger, .max) == 0)
        #expect(attempt(listener.path, of: stranger, line: nil) == nil)
        expectNothing(attempt(listener.path, of: stranger, line: line), listener.path, of: stranger, "user 0 listens")
        #expect(try listener.received() == nil)
    }

    /// Attack: an app uses the daemon to learn about a folder that the app's user may not look into.
    @Test(.enabled(if: isRoot)) func theDaemonsRightsAreNotUsed() throws {
        let hidden = folder + "/hidden"
        try #require(mkdir(hidden, 0o700) == 0)
        try "".write(toFile: hidden + "/file", atomically: false, encoding: .utf8)
        let listener = try Listener(hidden + "/app")
        try #require(chown(listener.path, stranger, .max) == 0)
        for name in ["file", "none", "app"] { expectNothing(hidden + "/" + name, of: stranger, "Permission denied") }
        #expect(!listener.hasPendingConnection)
        // Nor may it learn about a folder that root's group may look into.
        chmod(hidden, 0o750)
        expectNothing(hidden + "/none", of: stranger, "Permission denied")
        // The thread has its own rights again.
        expectNothing(hidden + "/none", "No such file or directory")
        let own = file_user_set(file_user(uid: 0, gid: 0))
        #expect(own.uid == 0 && own.gid == 0)
    }

    @Test func aFullBacklogIsNotWaitedFor() throws {
        let listener = try Listener(folder + "/app", backlog: 0)
        // The kernel queues one connection more than the backlog.
        #expect(attempt(listener.path, line: line) == nil)
        #expect(attempt(listener.path, line: line)?.description.contains("accept them") == true)
        #expect(try listener.received() != nil)
        #expect(attempt(listener.path, line: line) == nil)
    }

    @Test func noDescriptorIsLeft() throws {
        let listener = try Listener(folder + "/app", backlog: 0)
        try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
        // Other tests open and close descriptors in the meantime, so only those that lead here count.
        func open() -> Int {
            let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return links.count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))?
                    .hasPrefix(folder) == true
            }
        }
        for path in ["/app", "/file", "/none"] {
            for line in [nil, line] {
                _ = attempt(folder + path, line: line)
                _ = attempt(folder + path, of: stranger, line: line)
            }
        }
        #expect(open() == 0)
        // The other end of the waiting connection is closed, so it can be read to its end.
        #expect(try listener.received() == "{\"method\":\"m\"}\n")
    }
}
