import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks on the way in which the daemon finds out who is at the other end of a TCP connection.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackTests {
    @Test func eachProgramHasAGrantOfItsOwn() async throws {
        let gpsd = try await GPSDAttack()
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.other) == ["no fix"])
    }

    /// Attack: another user runs the very program that has a grant.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func anotherUserWithTheSameProgram() async throws {
        let gpsd = try await GPSDAttack()
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted, through: Attack.asNobody) == ["no fix"])
        // It is the same app of another user, who may have it too.
        _ = try await gpsd.attack.daemon.call(
            Grant.self, .init(app: "exe:\(gpsd.attack.granted)", uid: 65534, level: .always))
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted, through: Attack.asNobody) == ["fix"])
    }

    /// Attack: a granted app leaves its connection to another process (SCM_RIGHTS) and exits. While it runs, this is
    /// its own affair: it could also pass on what it reads.
    @Test func aConnectionPassedToAnotherProcess() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            here, there = socket.socketpair()
            there.set_inheritable(True)
            child = start(GRANTED, '''
            from gpsd_attack import *
            connection = watch()
            assert fix(connection) != "closed"
            there = socket.socket(fileno=int(sys.argv[1]))
            there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno()]))])
            there.recv(1)
            ''', there.fileno())
            _, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
            connection = socket.socket(fileno=array.array("i", ancillary[0][2])[0])
            here.send(b"x")
            end(child)
            while line(connection) is not None:
                pass
            print("closed")
            """, as: gpsd.attack.other)
        #expect(lines == ["closed"])
    }

    /// Attack: a granted app forks and exits, and its child goes on reading for somebody else.
    @Test func aForkedChildThatOutlivesItsParent() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            ready, told = os.pipe()
            os.set_inheritable(told, True)
            end(start(GRANTED, '''
            from gpsd_attack import *
            connection = watch()
            assert fix(connection) != "closed"
            if os.fork():
                os._exit(0)
            while line(connection) is not None:
                pass
            os.write(int(sys.argv[1]), b"closed")
            ''', told))
            os.close(told)
            print(os.read(ready, 100).decode())
            """, as: gpsd.attack.other)
        #expect(lines == ["closed"])
    }

    /// Attack: a process without a grant connects, and then becomes a program that has one.
    @Test func becomingAGrantedAppAfterConnecting() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            connection = connect_tcp()
            print(outcome(connection))
            become(GRANTED, '''
            from gpsd_attack import *
            print(outcome(socket.socket(fileno=int(sys.argv[1]))))
            print(outcome())
            ''', connection.fileno())
            """, as: gpsd.attack.other)
        #expect(lines.first == "no fix")
        #expect(["no fix", "refused", "closed"].contains(lines.dropFirst().first), "\(lines)")
        #expect(lines.last == "fix", "a new connection belongs to the program that the process now is: \(lines)")
    }

    /// Attack: a program without a grant has a granted one forward its connection, or forwards for it. The forwarder is
    /// the app: a granted one can also write what it reads into a file.
    @Test func aForwarderIsTheApp() async throws {
        let gpsd = try await GPSDAttack()
        let forwarder = """
            import select
            server = socket.socket()
            server.bind(("127.0.0.1", 0))
            server.listen()
            print(server.getsockname()[1])
            client, _ = server.accept()
            upstream = connect_tcp()
            pairs = {client: upstream, upstream: client}
            while True:
                for ready in select.select(list(pairs), [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        sys.exit()
                    pairs[ready].sendall(data)
            """
        for (program, client, expected) in [
            (gpsd.attack.other, gpsd.attack.granted, "no fix"), (gpsd.attack.granted, gpsd.attack.other, "fix"),
        ] {
            let running = try gpsd.start(forwarder, as: program)
            try await eventually("the forwarder: \(running.errors)") { !running.lines.isEmpty }
            let port = try #require(running.lines.first)
            #expect(
                try await gpsd.run("print(outcome(connect_tcp(port=\(port))))", as: client) == [expected],
                "\(running.errors)")
        }
    }

    /// Attack: an app connects, sends its request and is gone, again and again, and nothing of it may stay.
    @Test func processesThatEndAtOnce() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            """
            for _ in range(300):
                child = os.fork()
                if child == 0:
                    watch()
                    os._exit(0)
                end(child)
            print("done")
            """, as: gpsd.attack.other)
        #expect(lines == ["done"])
        // The client with a grant is the one that stays.
        try await eventually("no connection to be left") { try await gpsd.attack.connections() <= 1 }
        try await gpsd.waitForFixes()
    }
}
