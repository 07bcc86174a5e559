import AuthorizationPolicy
import Foundation
import Linux
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// The room for connections and for the processes behind them.
@Suite struct ConnectionQuotaTests {
    private final class TestClient: Client {
        let front = Front(name: "memory")
        let evidence = PeerEvidence.process
        let pid: Int32 = 1
        let uid: UInt32
        private(set) var isClosed = false

        init(uid: UInt32) { self.uid = uid }

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { throw .processGone }
        func close() { isClosed = true }
    }

    /// Attack: each socket of a user is held by many processes, until no descriptors are left for other users.
    @Test func processesTakeRoom() throws {
        let quota = ConnectionQuota(within: SharedConnectionLimit(descriptors: SharedConnectionLimit.reserve + 2 * 10))
        try quota.enter(TestClient(uid: 1000), limit: 256)
        try quota.enter(1000, processes: 7, limit: 256)
        try quota.enter(TestClient(uid: 1001), limit: 256)
        #expect(throws: AdmissionRefusal.limitExceeded("connections")) {
            try quota.enter(1001, processes: 7, limit: 256)
        }
        // Root is never turned away.
        try quota.enter(0, processes: 7, limit: 256)
        quota.leave(0, processes: 7)
        quota.leave(1001, processes: 7)
        try quota.enter(1001, processes: 1, limit: 256)
        let late = TestClient(uid: 1002)
        #expect(throws: AdmissionRefusal.limitExceeded("connections")) { try quota.enter(late, limit: 256) }
        #expect(late.isClosed)
    }

    @Test func oneProcessTakesNoMore() throws {
        let quota = ConnectionQuota(within: SharedConnectionLimit(descriptors: 0))
        try quota.enter(TestClient(uid: 1000), limit: 256)
        try quota.enter(1000, processes: 0, limit: 1)
    }

    /// Attack: a user has few connections, each with many processes, and takes more descriptors than its share.
    @Test func processesCountForTheirUser() throws {
        let quota = ConnectionQuota(within: SharedConnectionLimit(descriptors: 10_000))
        try quota.enter(TestClient(uid: 1000), limit: 10)
        try quota.enter(1000, processes: 7, limit: 10)
        try quota.enter(TestClient(uid: 1000), limit: 10)
        #expect(throws: AdmissionRefusal.limitExceeded("connectionsPerUser")) {
            try quota.enter(1000, processes: 2, limit: 10)
        }
        #expect(throws: AdmissionRefusal.limitExceeded("connectionsPerUser")) {
            try quota.enter(TestClient(uid: 1000), limit: 10)
        }
        quota.leave(1000)
        quota.leave(1000)
        quota.leave(1000, processes: 2)
        // The others are as before.
        try quota.enter(TestClient(uid: 1000), limit: 10)
        try quota.enter(1000, processes: 1, limit: 10)
        try quota.enter(TestClient(uid: 1001), limit: 1)
        quota.leave(1000)
        quota.leave(1000, processes: 1)
        quota.leave(1000)
        quota.leave(1000, processes: 7)
        for _ in 0..<10 { try quota.enter(TestClient(uid: 1000), limit: 10) }
    }

    /// Returns a quota for which the user 1000 has subordinate IDs from 100,000 on.
    private func quotaWithSubordinates(in folder: TemporaryFolder) throws -> ConnectionQuota {
        let subuid = folder.path + "/subuid"
        try Data("1000:100000:65536\n".utf8).write(to: URL(filePath: subuid))
        return ConnectionQuota(
            within: SharedConnectionLimit(descriptors: 1024), owners: UserOwners(subuid: subuid, passwd: "/dev/null"))
    }

    /// Attack: a user connects with forty of its subordinate IDs, and takes all room.
    @Test func subordinateUsersShareTheirOwnersLimit() throws {
        let folder = try TemporaryFolder()
        let quota = try quotaWithSubordinates(in: folder)
        var admitted = 0
        for uid in (100_000..<100_040 as Range<UInt32>) + [1000] {
            for _ in 0..<20 {
                do throws(AdmissionRefusal) {
                    try quota.enter(TestClient(uid: uid), limit: 256)
                    admitted += 1
                } catch {
                    #expect(error == .limitExceeded("connectionsPerUser"))
                    quota.leave(uid)
                }
            }
        }
        #expect(admitted == 256)
        for _ in 0..<200 { try quota.enter(TestClient(uid: 1001), limit: 256) }
    }

    /// Attack: a user connects and closes, tens of thousands of times a second, with all of its subordinate IDs.
    @Test func connectionsHaveARate() throws {
        let folder = try TemporaryFolder()
        let quota = try quotaWithSubordinates(in: folder)
        var admitted = 0
        for step in 0..<100_000 {
            let uid = step % 2 == 0 ? 1000 : UInt32(100_000 + step % 40)
            if quota.admits(uid, limit: 256, at: 5 + Double(step) / 20_000) { admitted += 1 }
        }
        #expect((1790...1792).contains(admitted))
        let others = (quota.admits(1001, limit: 256, at: 10), quota.admits(0, limit: 256, at: 10))
        #expect(others == (true, true))
        // As many as the user may have are made at once.
        #expect((0..<10_000).allSatisfy { _ in quota.admits(1002, limit: 10_000, at: 10) })
        #expect(!quota.admits(1002, limit: 10_000, at: 10))
    }

    /// The IDs are assigned to somebody else while they have connections: what was counted is what is freed.
    @Test func anOwnerThatChanges() throws {
        let folder = try TemporaryFolder()
        let subuid = folder.path + "/subuid"
        try Data("1000:100000:1\n".utf8).write(to: URL(filePath: subuid))
        let quota = ConnectionQuota(
            within: SharedConnectionLimit(descriptors: 10_000), owners: UserOwners(subuid: subuid, passwd: "/dev/null"))
        for _ in 0..<2 { try quota.enter(TestClient(uid: 100_000), limit: 2) }
        try Data("1001:100000:65536\n".utf8).write(to: URL(filePath: subuid))
        try quota.enter(TestClient(uid: 1001), limit: 1)
        quota.leave(1001)
        for _ in 0..<2 { quota.leave(100_000) }
        for uid in [1000, 100_000] as [UInt32] { for _ in 0..<2 { try quota.enter(TestClient(uid: uid), limit: 2) } }
        #expect(throws: AdmissionRefusal.limitExceeded("connectionsPerUser")) {
            try quota.enter(TestClient(uid: 1001), limit: 2)
        }
    }
}
