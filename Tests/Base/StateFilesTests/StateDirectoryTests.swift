import Foundation
import Glibc
import TestSupport
import Testing

@testable import StateFiles

/// The state folder is closed to other users, and belongs to one daemon at a time.
@Suite struct StateDirectoryTests {
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/state" }

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func mode(_ path: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try #require(mode)
    }

    private func makeFolder(mode: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Returns the text of the error, or an empty text if no error was thrown.
    private func refusal() -> String {
        do throws(DirectoryFailure) { _ = try StateDirectory(path, of: "locationd") } catch { return error.description }
        return ""
    }

    @Test(arguments: ["", "/", "//", "/below/there"]) func aNewOneIsClosed(_ suffix: String) throws {
        let folder = try StateDirectory(path + suffix, of: "locationd")
        #expect(try mode(path + suffix) == 0o700)
        _ = folder
    }

    @Test(arguments: [0o755, 0o750, 0o701, 0o720, 0o777, 0o2755]) func oneThatOthersMayEnter(_ mode: Int) throws {
        try makeFolder(mode: mode)
        #expect(refusal().contains("0\(String(mode, radix: 8))"))
        #expect(refusal().contains("chmod 0700 \(path)"))
        #expect(try self.mode(path) == mode)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root: gives a folder away")) func oneOfAnotherUser() throws {
        try makeFolder(mode: 0o700)
        try #require(chown(path, 65534, 65534) == 0)
        #expect(refusal().contains("belongs to user 65534"))
        #expect(refusal().contains("chown -R \(geteuid()) \(path)"))
    }

    @Test func filesOfAnotherUmask() throws {
        try makeFolder(mode: 0o700)
        let outside = try temporary.write("", to: "outside")
        for file in [outside, path + "/locationd.db", path + "/locationd.db.damaged-then"] {
            try Data().write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: file)
        }
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: outside)
        let folder = try StateDirectory(path, of: "locationd")
        #expect(try mode(path + "/locationd.db") == 0o600)
        #expect(try mode(path + "/locationd.db.damaged-then") == 0o600)
        #expect(try mode(outside) == 0o664)
        _ = folder
    }

    @Test func oneDaemonAtATime() async throws {
        func hold() throws {
            let folder = try StateDirectory(path, of: "locationd")
            #expect(refusal().contains("another locationd uses the state folder \(path)"))
            #expect(refusal().contains("systemctl stop locationd"))
            #expect(refusal().contains("--state-directory"))
            _ = folder
        }
        try hold()
        // A process that another test starts has a copy of the descriptor, and with it the lock, until its execve(2).
        try await eventually("the lock to be free again") {
            do {
                try hold()
                return true
            } catch let failure as DirectoryFailure where failure.description.contains("another locationd uses") {
                return false
            }
        }
    }

    @Test func aFileInItsPlace() throws {
        try temporary.write("", to: "state")
        #expect(refusal().contains(path))
        #expect(refusal().contains(String(cString: strerror(ENOTDIR))))
    }
}
