import Foundation
import TestSupport
import Testing

@testable import PeerIdentity

/// The owners of subordinate user IDs.
@Suite struct SubordinateUsersTests {
    private static let passwd = Array(
        """
        root:x:0:0:root:/root:/bin/bash
        ann:x:1000:1000::/home/ann:/bin/bash
        bob:x:1001:1001::/home/bob:/bin/bash

        """.utf8)

    private func users(_ subuid: String) -> SubordinateUsers {
        SubordinateUsers(subuid: Array(subuid.utf8), passwd: Self.passwd)
    }

    /// Attack: a user connects with its subordinate IDs, and each of them has a user's share.
    @Test func theyBelongToTheirUser() {
        let users = users("ann:100000:65536\n1001:165536:65536\nann:300000:1\n")
        for uid in [100_000, 165_535, 300_000, 1000] as [UInt32] { #expect(users.owner(of: uid) == 1000) }
        for uid in [165_536, 231_071, 1001] as [UInt32] { #expect(users.owner(of: uid) == 1001) }
        for uid in [0, 99_999, 231_072, 299_999, 300_001, .max] as [UInt32] { #expect(users.owner(of: uid) == uid) }
    }

    /// No server is asked for the name, as it may not answer. All of its IDs still count as one user.
    @Test func thoseOfAnUnknownName() {
        let users = users("far:100000:10\nfar:200000:10\nother:300000:10\n")
        for uid in [100_000, 100_009, 200_000, 200_009] as [UInt32] { #expect(users.owner(of: uid) == 100_000) }
        #expect(users.owner(of: 300_009) == 300_000)
    }

    /// Attack: a program in root's container gets root's share, which has no limit.
    @Test func rootsBelongToNobodyElse() {
        let users = users("root:100000:65536\n0:200000:65536\nann:0:1\n")
        for uid in [100_000, 100_001, 200_000, 0] as [UInt32] { #expect(users.owner(of: uid) == uid) }
    }

    @Test func whatIsMalformedIsLeftOut() {
        let malformed = "ann\nann:1\nann:1:2:3\nann:x:2\nann:-1:2\nann:5:0\n::\n#\n"
        let users = users(malformed + "ann:4294967290:4294967295\nbob:7:1")
        #expect(users.owner(of: 4_294_967_289) == 4_294_967_289)
        #expect(users.owner(of: .max) == 1000)
        #expect(users.owner(of: 7) == 1001)
        for uid in [1, 2, 5] as [UInt32] { #expect(users.owner(of: uid) == uid) }
    }

    /// A user whom adduser(8) has just made has subordinate IDs at once.
    @Test func aChangedFileIsReadAgain() throws {
        let folder = try TemporaryFolder()
        let (subuid, passwd) = (folder.path + "/subuid", folder.path + "/passwd")
        try Data(Self.passwd).write(to: URL(filePath: passwd))
        var owners = UserOwners(subuid: subuid, passwd: passwd)
        #expect(owners.owner(of: 100_000) == 100_000)
        try Data("ann:100000:65536\n".utf8).write(to: URL(filePath: subuid))
        #expect(owners.owner(of: 100_000) == 1000)
        try Data("ann:100000:65536\nbob:165536:65536\n".utf8).write(to: URL(filePath: subuid))
        #expect(owners.owner(of: 165_536) == 1001)
        try FileManager.default.removeItem(atPath: subuid)
        #expect(owners.owner(of: 165_536) == 165_536)
    }
}
