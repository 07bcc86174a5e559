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
    /// A connection, and what the kernel says about the app's end.
    private struct Socket {
        let pair: TCPPair
        let owner: TCPSocketOwner

        init() throws {
            pair = try TCPPair()
            owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        }

        func holders(uid: UInt32? = nil, cgroupID: UInt64? = nil) throws -> SocketHolders {
            try SocketHolders(ofInode: owner.inode, uid: uid ?? owner.uid, cgroupID: cgroupID ?? owner.cgroupID)
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

    /// The app is who holds the socket, not who created it: it has what is sent there.
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

    /// Attack: an app without a grant passes its socket to a granted one, and reads on itself.
    @Test func aSocketOfTwoApps() async throws {
        let socket = try Socket()
        let program = try RunningProgram("/bin/sleep", ["infinity"], input: socket.pair.app)
        guard try identity(of: program.processIdentifier) != identity(of: getpid()) else { return }
        try await socket.waitForRefusal(.socketShared)
    }

    /// Attack: the process ends at once, and its id or the number of its socket passes to another app.
    @Test func nobodyHoldsTheSocket() async throws {
        let socket = try Socket()
        socket.pair.closeApp()
        try await socket.waitForRefusal(.socketNotHeld)
    }

    /// Attack: a sandboxed app, or a service, has another app hold the only copy of its socket that shows, and keeps
    /// one in a message that was not received. The socket keeps the control group in which it was created.
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
    @Test func aSocketOfTooManyProcesses() throws {
        let socket = try Socket()
        var limits = SocketSearch.Limits()
        limits.holders = 0
        #expect(throws: IdentityRefusal.socketHeldByMany) {
            try SocketHolders(
                ofInode: socket.owner.inode, uid: socket.owner.uid, cgroupID: socket.owner.cgroupID, limits: limits)
        }
    }

    @Test func theRequestOfTheDaemon() async throws {
        let socket = try Socket()
        let request = PeersRequest.holders(
            inode: socket.owner.inode, uid: socket.owner.uid, cgroupID: socket.owner.cgroupID)
        let app = try identity(of: getpid())
        try await eventually("this process alone") {
            let answer = request.answer(pidfd: -1)
            return answer.reply == .identity(app) && answer.processes.count == 1
        }
        let other = PeersRequest.holders(inode: .max, uid: socket.owner.uid, cgroupID: 1).answer(pidfd: -1)
        #expect(other.reply == .refused(.socketNotHeld))
        #expect(other.processes.isEmpty)
    }
}
