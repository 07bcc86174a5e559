import AuthorizationPolicy
import Glibc
import Linux
import LocationModel
import PeerIdentity
import Testing

/// The messages between the daemon and locationd-peers.
@Suite struct PeersMessageTests {
    @Test(
        arguments: [
            .identity(uid: 0), .identity(uid: .max), .loginOwner, .executable, .startTime, .confinement,
            .holders(of: [SocketOrigin(inode: 0, cgroupID: 0)], uid: 0),
            .holders(of: [SocketOrigin(inode: .max, cgroupID: .max), SocketOrigin(inode: 1, cgroupID: 2)], uid: .max),
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
        let sockets = [SocketOrigin](
            repeating: SocketOrigin(inode: .max, cgroupID: .max), count: PeersRequest.maximumSockets)
        let request = PeersRequest.holders(of: sockets, uid: .max)
        #expect(request.bytes.count <= PeersRequest.maximumLength)
        #expect(PeersRequest(request.bytes) == request)
        #expect(PeersRequest(PeersRequest.holders(of: sockets + [sockets[0]], uid: 1).bytes) == nil)
    }

    @Test(arguments: [
        "", " ", "identity", "identity ", "identity -1", "identity 4294967296", "identity 1 2", "identity 1\n",
        "owner 1",
        "owner\nx", "executable ", "check", "check 1", "check x /p", "check 1 /p\nline", "wake 1 /p", "wake 1\n",
        "IDENTITY 1", "holders", "holders 1", "holders 1 2", "holders 1 2 3 4", "holders 1 2 3 ", "holders 1 ",
        "holders 1 2 3\n", "holders 1 2 -3",
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
                .executable("/usr/bin/a b"), .startTime(nil), .startTime(.max), .confinement(true), .confinement(false),
                .woken,
                .notWoken(WakeRefusal(description: "/x: no: listen there")),
                .notWoken(WakeRefusal(description: "/x took 1 of 2 bytes", mayHaveArrived: true)),
            ] + IdentityRefusal.allCases.map { .refused($0) }
        for answer in answers { #expect(PeersReply(answer.bytes) == answer) }
    }

    @Test(arguments: [
        "holders socketNotHeld", "holders 0\nexe:/bin/a", "holders 1,0 socketShared postponed 0\nexe:/a b\nexe:/a b",
        "holders 0 1\nexe:/a\nexe:/b",
    ])
    func answersAboutSockets(_ text: String) throws {
        let reply = try #require(PeersReply(Array(text.utf8)))
        #expect(reply.bytes == Array(text.utf8))
    }

    /// Attack: an answer names processes that did not come with it, or holders that are several apps.
    @Test(arguments: [
        "holders", "holders ", "holders 0", "holders 1\nexe:/a", "holders -1\nexe:/a", "holders 0,0\nexe:/a",
        "holders 0,1\nexe:/a\nexe:/b", "holders 0,\nexe:/a", "holders 0 \nexe:/a", "holders 0\nexe:a",
        "holders 0\nexe:/a\n", "holders postponed", "holders postponed 0\nexe:/a", "holders byMood",
        "holders 0" + String(repeating: "\nexe:/a", count: SocketHolders.maximumCount + 1),
    ])
    func noAnswersAboutSockets(_ text: String) {
        #expect(PeersReply(Array(text.utf8)) == nil)
    }

    /// Attack: the daemon has no room for the descriptors, and treats the processes that arrived as complete.
    @Test func anAnswerWithoutItsProcesses() throws {
        guard case .holders(let reply)? = PeersReply(Array("holders 0 1\nexe:/a\nexe:/b".utf8)) else {
            Issue.record("no answer")
            return
        }
        #expect(reply.outcomes([]) == nil)
        let process = ProcessDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        #expect(reply.outcomes([process]) == nil)
        #expect(reply.outcomes([process, process])?.count == 2)
    }

    @Test(arguments: [
        "", "identity", "identity nothing", "identity exe:relative", "refused ", "refused byMood", "manager root",
        "failed", "failed x", "granted exe:/bin/sh",
    ])
    func noAnswers(_ text: String) {
        #expect(PeersReply(Array(text.utf8)) == nil)
    }

    @Test func theLongestAnswerFits() throws {
        let app = "exe:/" + String(repeating: "p", count: 4095)
        let apps = [String](repeating: app, count: SocketHolders.maximumCount).joined(separator: "\n")
        let indexes = (0..<SocketHolders.maximumCount).map(String.init).joined(separator: ",")
        let longest = IdentityRefusal.allCases.map(\.rawValue).max { $0.count < $1.count }
        for word in try [indexes, #require(longest)] {
            let words = [String](repeating: word, count: PeersRequest.maximumSockets).joined(separator: " ")
            let reply = try #require(PeersReply(Array("holders \(words)\n\(apps)".utf8)))
            #expect(reply.bytes.count <= PeersReply.maximumLength)
        }
        #expect(try PeersReply.identity(#require(AppIdentity(app))).bytes.count <= PeersReply.maximumLength)
    }
}
