import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks with a TCP connection that several processes hold when the daemon looks.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackHoldersTests {
    /// Attack: two programs hold the same connection when the daemon looks. It cannot tell which of them asks.
    @Test func aConnectionOfTwoPrograms() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            halt()
            connection = connect_tcp()
            child = start(GRANTED, "signal.pause()")
            while os.readlink(f"/proc/{child}/exe") != GRANTED:
                time.sleep(0.001)
            go_on()
            print(outcome(connection) in ("closed", "refused"))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            """, as: gpsd.attack.other)
        #expect(lines == ["True"])
        try await gpsd.attack.daemon.waitForLog("processes of several apps hold its socket")
        try await gpsd.waitForFixes()
    }

    /// Several processes of one program are one app, as with a program that forks to serve its connection.
    @Test func aConnectionOfTwoProcessesOfOneProgram() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            halt()
            connection = connect_tcp()
            child = start(GRANTED, "signal.pause()")
            while os.readlink(f"/proc/{child}/exe") != GRANTED or not open(f"/proc/{child}/cmdline").read():
                time.sleep(0.001)
            go_on()
            print(outcome(connection))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            """, as: gpsd.attack.granted)
        #expect(lines == ["fix"])
    }

    /// Attack: a granted app connects and exits at once; another process holds its connections.
    @Test func aProcessThatEndsBeforeItIsAccepted() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            halt()
            connections = [new_tcp() for _ in range(20)]
            end(start(GRANTED, '''
            from gpsd_attack import *
            for number in sys.argv[1:]:
                connection = connect_tcp(socket.socket(fileno=int(number)))
                request(connection, WATCH)
                connection.detach()
            ''', *(connection.fileno() for connection in connections)))
            go_on()
            print(*outcomes(connections), sep="\\n")
            """, as: gpsd.attack.other)
        // Whoever holds a connection when the daemon looks is the app: here the other program, which has no grant.
        #expect(lines == [String](repeating: "no fix", count: 20))
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
    }

    /// Attack: a process of another user has made the socket, and holds it too. A user's processes cannot speak for
    /// another user, whatever the programs are.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func aConnectionThatAnotherUserHasMade() async throws {
        let gpsd = try await GPSDAttack()
        for closes in ["True", "False"] {
            let lines = try await gpsd.run(
                """
                halt()
                here, there = socket.socketpair()
                child = os.fork()
                if child == 0:
                    os.setuid(65534)
                    made = connect_tcp()
                    there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [made.fileno()]))])
                    if \(closes):
                        os._exit(0)
                    signal.pause()
                _, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
                connection = socket.socket(fileno=array.array("i", ancillary[0][2])[0])
                if \(closes):
                    end(child)
                go_on()
                print(*outcomes([connection, connect_tcp()]), sep="\\n")
                if not \(closes):
                    os.kill(child, signal.SIGKILL)
                """, as: gpsd.attack.granted)
            #expect(lines.count == 2)
            #expect(lines.first.map(["closed", "refused", "no fix"].contains) == true, "\(lines)")
            #expect(lines.last == "fix", "its own connection")
        }
    }

    /// Attack: a user starts one of root's set-user-ID programs under a name that is no text and leaves it the
    /// connection, which a granted program then appears to hold alone.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func aHolderWithANameThatIsNoText() async throws {
        let gpsd = try await GPSDAttack()
        _ = try await gpsd.attack.daemon.call(
            Grant.self, .init(app: "exe:\(gpsd.attack.granted)", uid: 65534, level: .always))
        let lines = try await gpsd.run(
            """
            import ctypes
            assert ctypes.CDLL(None).prctl(15, b"\\xff", 0, 0, 0) == 0  # PR_SET_NAME, linux/prctl.h
            # The kernel notes who makes the socket.
            os.setresuid(65534, 65534, 0)
            connection = new_tcp()
            os.seteuid(0)
            child = os.fork()
            if child == 0:
                os.setresuid(65534, 65534, 65534)
                become(GRANTED, '''
            from gpsd_attack import *
            connection = connect_tcp(socket.socket(fileno=int(sys.argv[1])))
            for word in outcomes([connection, connect_tcp()]):
                print(word)
            ''', connection.fileno())
            end(child)
            """, as: gpsd.attack.other)
        #expect(lines.count == 2)
        #expect(lines.first.map(["closed", "refused"].contains) == true, "\(lines)")
        #expect(lines.last == "fix", "its own connection")
        try await gpsd.attack.daemon.waitForLog("also has the rights of another user")
    }
}
