import AuthorizationPolicy
import LocationModel
import PeerIdentity
import Testing

/// The messages between the daemon and locationd-peers.
@Suite struct PeersMessageTests {
    @Test(
        arguments: [
            .identity(uid: 0), .identity(uid: .max), .loginOwner, .executable,
            .holders(inode: 0, uid: 0, cgroupID: 0), .holders(inode: .max, uid: .max, cgroupID: .max),
            .wake(path: "/run/user/1000/app", uid: 1000, line: nil),
            .wake(path: "/a path  with spaces", uid: 7, line: Array("{\"a\": \"b c\"}".utf8)),
            .wake(path: "/x", uid: 7, line: []), .wake(path: "/x", uid: 7, line: [0xff, 0x00, 0x0a, 0x20]),
        ] as [PeersRequest])
    func requests(_ request: PeersRequest) {
        #expect(PeersRequest(request.bytes) == request)
    }

    @Test func theLongestRequestFits() {
        let path = "/" + String(repeating: "p", count: WakeSocket.maximumPathLength - 1)
        let line = [UInt8](repeating: 0x78, count: WakeSocket.maximumLineLength)
        #expect(PeersRequest.wake(path: path, uid: .max, line: line).bytes.count <= PeersRequest.maximumLength)
    }

    @Test(arguments: [
        "", " ", "identity", "identity ", "identity -1", "identity 4294967296", "identity 1 2", "identity 1\n",
        "owner 1",
        "owner\nx", "executable ", "check", "check 1", "check x /p", "check 1 /p\nline", "wake 1 /p", "wake 1\n",
        "IDENTITY 1", "holders", "holders 1", "holders 1 2", "holders 1 2 3 4", "holders 1 2 3\n", "holders 1 2 -3",
        "holders 1 4294967296 3", "holders 1 2 18446744073709551616", "holders 1  2 3", "holders x 2 3",
    ])
    func noRequests(_ text: String) {
        #expect(PeersRequest(Array(text.utf8)) == nil)
    }

    @Test func bytesThatAreNoText() {
        #expect(PeersRequest([0xff, 0xfe]) == nil)
        #expect(PeersReply([0x69, 0xff]) == nil)
    }

    @Test func answers() throws {
        let answers: [PeersReply] =
            try [
                .identity(#require(AppIdentity("exe:/usr/bin/a b"))),
                .identity(#require(AppIdentity("service:chrony"))),
                .owner(nil), .owner(.session("c2")), .owner(.userManager(1000)), .failed(24), .executable(nil),
                .executable("/usr/bin/a b"), .woken, .notWoken(WakeRefusal(description: "/x: no: listen there")),
                .notWoken(WakeRefusal(description: "/x took 1 of 2 bytes", mayHaveArrived: true)),
            ] + IdentityRefusal.allCases.map { .refused($0) }
        for answer in answers { #expect(PeersReply(answer.bytes) == answer) }
    }

    @Test(arguments: [
        "", "identity", "identity nothing", "identity exe:relative", "refused ", "refused byMood", "manager root",
        "failed", "failed x", "granted exe:/bin/sh",
    ])
    func noAnswers(_ text: String) {
        #expect(PeersReply(Array(text.utf8)) == nil)
    }

    @Test func theLongestAnswerFits() throws {
        let path = "/" + String(repeating: "p", count: 4095)
        #expect(
            PeersReply.identity(try #require(AppIdentity(kind: .exe, name: path))).bytes.count
                <= PeersReply.maximumLength)
    }
}
