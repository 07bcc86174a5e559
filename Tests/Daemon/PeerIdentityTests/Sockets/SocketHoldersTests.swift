import AuthorizationPolicy
import CLinux
import Foundation
import Glibc
import Linux
import LocationModel
import TestSupport
import Testing

@testable import PeerIdentity

/// The app that the holders of a socket are.
@Suite(.enabled(if: ControlGroupMount.root != nil, "no unified hierarchy of control groups is mounted"))
struct SocketHoldersTests {
    /// A connection, and the kernel's data about the app's end.
    private struct Socket {
        let pair: TCPPair
        let owner: TCPSocketOwner

        init() throws {
            pair = try TCPPair()
            owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        }

        func holders(uid: UInt32? = nil, cgroupID: UInt64? = nil) throws -> SocketHolders {
            let origin = SocketOrigin(inode: owner.inode, cgroupID: cgroupID ?? owner.cgroupID)
            return try SocketHolders.find([origin], uid: uid ?? owner.uid)[0].get()
        }

        /// Waits for a refusal. Other tests start processes, which hold copies of this one's descriptors for a moment.
        func waitForRefusal(_ refusal: IdentityRefusal, uid: UInt32? = nil, cgroupID: UInt64? = nil) async throws {
            try await eventually("\(refusal)") {
                do {
                    _ = try holders(uid: uid, cgroupID: cgroupID)
                    return false
                } catch let error as IdentityRefusal {
                    return error == refusal
                }
            }
        }
    }

    private func identity(of pid: Int32) throws -> AppIdentity {
        let pidfd = process_open(pid)
        defer { close(pidfd) }
        return try ProcessReader(pidfd: pidfd).identity(uid: geteuid())
    }

    @Test func theAppIsTheProcessThatHoldsTheSocket() async throws {
        let socket = try Socket()
        var found: SocketHolders?
        try await eventually("this process alone") {
            found = try? socket.holders()
            return found?.processes.count == 1
        }
        #expect(try found?.app == identity(of: getpid()))
        #expect(found.map { process_id($0.processes[0].descriptor) } == getpid())
    }

    /// The app is the socket's holder, not its creator: it receives the data.
    @Test func aSocketThatWasPassedOn() async throws {
        let socket = try Socket()
        let program = try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app)
        let app = try identity(of: program.processIdentifier)
        socket.pair.closeApp()
        try await eventually("the program alone") {
            guard let found = try? socket.holders(), found.processes.count == 1 else { return false }
            return process_id(found.processes[0].descriptor) == program.processIdentifier && found.app == app
        }
    }

    @Test func severalProcessesOfOneApp() async throws {
        let socket = try Socket()
        let programs = try (0..<3).map { _ in
            try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app)
        }
        socket.pair.closeApp()
        try await eventually("all of them") { (try? socket.holders())?.processes.count == programs.count }
    }

    /// Attack: an app without a grant passes its socket to a granted one, and keeps reading itself.
    @Test(.enabled(if: OwnIdentity.isExecutable, "in a unit of systemd, both programs are one app"))
    func aSocketOfTwoApps() async throws {
        let socket = try Socket()
        let program = try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app)
        #expect(try identity(of: program.processIdentifier) != identity(of: getpid()))
        try await socket.waitForRefusal(.socketShared)
    }

    /// Attack: the process ends at once, and its ID or the number of its socket passes to another app.
    @Test func nobodyHoldsTheSocket() async throws {
        let socket = try Socket()
        socket.pair.closeApp()
        try await socket.waitForRefusal(.socketNotHeld)
    }

    /// Attack: a sandboxed app, or a service, has another app hold the only copy of its socket that shows, and keeps
    /// one in an unreceived message. The socket keeps the control group where it was created.
    @Test func aSocketFromAnotherUnit() async throws {
        let socket = try Socket()
        try await socket.waitForRefusal(.socketOfAnotherUnit, cgroupID: socket.owner.cgroupID + 1_000_000_007)
    }

    /// Attack: a process of another user holds the socket.
    @Test func aSocketOfAnotherUser() async throws {
        let socket = try Socket()
        try await socket.waitForRefusal(.socketNotHeld, uid: 4_000_000_000)
    }

    /// Attack: a program with the set-user-ID bit inherits the socket, and with it another user's rights.
    @Test(.enabled(if: geteuid() == 0, "changing users needs root"))
    func aProcessWithTheRightsOfSeveralUsers() async throws {
        let socket = try Socket()
        // As after exec(3) of root's set-user-ID program by this user.
        let program = try RunningProgram(
            "/usr/bin/setpriv", ["--ruid", "65534", "/bin/sleep", "infinity"], input: socket.pair.app)
        try await eventually("the program") {
            ProcFile.target(ofLink: "/proc/\(program.processIdentifier)/exe")?.hasSuffix("/sleep") == true
        }
        try await socket.waitForRefusal(.socketOfSeveralUsers, uid: 65534)
    }

    /// Attack: many processes hold one socket.
    @Test func aSocketOfTooManyProcesses() async throws {
        let socket = try Socket()
        let programs = try (0..<SocketHolders.maximumCount).map { _ in
            try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app)
        }
        try await socket.waitForRefusal(.socketHeldByMany)
        // Other sockets are not refused with it.
        let other = try Socket()
        try await eventually("this process alone") {
            let outcomes = SocketHolders.find([socket.owner.origin, other.owner.origin], uid: geteuid())
            guard case .refused(.socketHeldByMany) = outcomes[0] else { return false }
            return (try? outcomes[1].get())?.processes.count == 1
        }
        socket.pair.closeApp()
        try await eventually("as many as may be") { (try? socket.holders())?.processes.count == programs.count }
    }

    /// A process is examined once, however many sockets it holds.
    @Test func severalSocketsOfOneProcess() async throws {
        let sockets = try (0..<20).map { _ in try Socket() }
        sockets[7].pair.closeApp()
        try await eventually("this process alone") {
            let outcomes = SocketHolders.find(sockets.map(\.owner.origin), uid: geteuid())
            guard case .refused(.socketNotHeld) = outcomes[7] else { return false }
            let found = outcomes.compactMap { try? $0.get() }
            guard found.count == 19, found.allSatisfy({ $0.processes.count == 1 }) else { return false }
            return found.allSatisfy { $0.processes[0] === found[0].processes[0] }
        }
    }

    /// Attack: each socket is held by other processes, and the caller gets more descriptors than it has room for.
    @Test func moreProcessesThanAreExaminedAtOnce() async throws {
        let sockets = try (0..<4).map { _ in try Socket() }
        let programs = try sockets.prefix(3).map { socket in
            try (0..<3).map { _ in try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app) }
        }
        for socket in sockets.prefix(3) { socket.pair.closeApp() }
        try await eventually("all but one") {
            let outcomes = SocketHolders.find(sockets.map(\.owner.origin), uid: geteuid())
            guard case .postponed = outcomes[2] else { return false }
            return outcomes.map { (try? $0.get())?.processes.count } == [3, 3, nil, 1]
        }
        try await eventually("the rest") {
            let outcomes = SocketHolders.find(sockets.dropFirst(2).map(\.owner.origin), uid: geteuid())
            return outcomes.map { (try? $0.get())?.processes.count } == [3, 1]
        }
        withExtendedLifetime(programs) {}
    }

    /// Attack: a user starts one of root's set-user-ID programs under a name that is not UTF-8, and leaves it the
    /// socket. To find that it is the user's, its status is read.
    @Test(.enabled(if: geteuid() == 0, "changing users needs root"))
    func aSetUserIDProgramWithoutAReadableName() async throws {
        let socket = try Socket()
        let script = Program.script("SocketHolders/unreadable_name")
        let program = try RunningProgram("/usr/bin/python3", ["-c", script], input: socket.pair.app)
        socket.pair.closeApp()
        try await eventually("the program: \(program.errors)") { program.lines == ["ready"] }
        try await socket.waitForRefusal(.socketOfSeveralUsers, uid: 65534)
    }

    @Test func theRequestOfTheDaemon() async throws {
        let socket = try Socket()
        let sockets = [socket.owner.origin, SocketOrigin(inode: .max, cgroupID: 1), socket.owner.origin]
        let request = PeersRequest.holders(of: sockets, uid: socket.owner.uid)
        let text = "holders 0 socketNotHeld 0\n\(try identity(of: getpid()))"
        try await eventually("this process alone") {
            let answer = request.answer(pidfd: -1)
            return answer.reply.bytes == Array(text.utf8) && answer.processes.count == 1
        }
        let other = PeersRequest.holders(of: [sockets[1]], uid: socket.owner.uid).answer(pidfd: -1)
        #expect(other.reply.bytes == Array("holders socketNotHeld".utf8))
        #expect(other.processes.isEmpty)
    }
}

extension SocketHolders.Outcome {
    fileprivate func get() throws(IdentityRefusal) -> SocketHolders {
        switch self {
        case .found(let holders): return holders
        case .refused(let refusal): throw refusal
        case .postponed: throw .unanswered
        }
    }
}
