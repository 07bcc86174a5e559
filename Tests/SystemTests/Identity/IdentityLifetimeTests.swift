import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Attacks on the time from a process's connecting to its end, in which another process takes its place.
@Suite(.timeLimit(.minutes(15))) struct IdentityLifetimeTests {
    private static let canReuse =
        Attack.isRoot && Attack.hasPeerDescriptors && access("/proc/sys/kernel/ns_last_pid", W_OK) == 0

    /// Attack: a process connects and exits, and its id is reused for an app with a grant before the daemon has
    /// looked it up. The kernel's descriptor still refers to the process that ended.
    @Test(.enabled(if: canReuse, "needs root and Linux 6.5"))
    func anIdGivenToAGrantedAppBeforeTheDaemonLooks() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            halt()
            isReused = False
            while not isReused:
                connection = new()
                child = os.fork()
                if child == 0:
                    connect(connection)
                    os._exit(0)
                end(child)
                isReused = reuse(child, GRANTED)
            go_on()
            print(ask(connection) in ("closed", "PermissionDenied"))
            os.kill(child, signal.SIGKILL)
            """, as: attack.other)
        #expect(lines == ["True"])
        #expect(try await attack.connections() == 0)
        #expect(try await attack.outcome(of: attack.granted) == ["location"])
    }

    /// Attack: an app that has a grant connects and exits, another of its processes gets its id, and a stranger holds
    /// its connection. The first call on that connection is refused, whichever it is.
    @Test(.enabled(if: canReuse, "needs root and Linux 6.5"))
    func anIdGivenToAGrantedAppAfterItsConnectionsWereLeft() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            end(start(GRANTED, '''
            region = {"identifier": "home", "latitude": 47.5, "longitude": 8.75, "radius": 100,
                      "notifyOnEntry": True, "notifyOnExit": True}
            assert ask(None, "StartMonitoringRegion", {"region": region}) == ""
            '''))
            for method, parameters, more in (
                    ("GetLocation", {}, False), ("GetAuthorization", {}, False), ("ListRegions", {}, False),
                    ("GetRegionState", {"identifier": "home"}, False), ("Subscribe", {}, True),
                    ("RequestAuthorization", {"level": "always", "reason": "mine"}, False),
                    ("StopMonitoringRegion", {"identifier": "home"}, False), ("MonitorVisits", {}, True)):
                isReused = False
                while not isReused:
                    connection = new()
                    child = start(GRANTED, '''
            connection = connect(socket.socket(fileno=int(sys.argv[1])))
            assert ask(connection) == "location"
                    ''', connection.fileno())
                    end(child)
                    isReused = reuse(child, GRANTED)
                print(ask(connection, method, parameters, more=more))
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            """, as: attack.other)
        #expect(lines == Array(repeating: "closed", count: 8))
        #expect(try await attack.connections() == 0)
        // Nothing was done in the app's name.
        #expect(
            try await attack.run("print(ask(None, 'GetRegionState', {'identifier': 'home'}))", as: attack.granted)
                == ["state"])
    }

    /// Attack: a process connects, leaves the connection to another process, and exits before the daemon has accepted
    /// it.
    @Test func aProcessThatEndsBeforeItIsAccepted() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            halt()
            connections = [new(), new()]
            end(start(GRANTED, '''
            for number in sys.argv[1:]:
                connection = connect(socket.socket(fileno=int(number)))
                send(connection, "GetLocation")
                connection.detach()
            ''', *(connection.fileno() for connection in connections)))
            go_on()
            for connection in connections:
                print(receive(connection) in ("closed", "PermissionDenied"))
            """, as: attack.other)
        #expect(lines == ["True", "True"])
        #expect(try await attack.connections() == 0)
        #expect(try await attack.outcome(of: attack.granted) == ["location"])
    }

    /// Attack: a process without a grant connects, and then becomes a program that has one.
    @Test func becomingAGrantedAppAfterConnecting() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            connection = connect()
            print(ask(connection, "GetAuthorization"))
            become(GRANTED, '''
            print(ask(socket.socket(fileno=int(sys.argv[1]))))
            print(ask())
            ''', connection.fileno())
            """, as: attack.other)
        // The connection still belongs to the other program. A new one belongs to the granted program, which the
        // process now is.
        #expect(lines == ["authorization", "NotAuthorized notDetermined", "location"])
    }

    /// A granted app that becomes another program keeps its connections, as it could also have passed on what it read
    /// from them. Connections made after that belong to the other program.
    @Test func becomingAnotherAppAfterConnecting() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            connection = connect()
            print(ask(connection))
            become(OTHER, '''
            print(ask(socket.socket(fileno=int(sys.argv[1]))))
            print(ask())
            ''', connection.fileno())
            """, as: attack.granted)
        #expect(lines == ["location", "location", "NotAuthorized notDetermined"])
    }

    /// An attack that cannot be prevented: the kernel reports which process connected, but not which program it was
    /// running. A program that becomes a granted one between its connecting and the daemon's look-up is taken for the
    /// granted one. It could also have run the granted program under ptrace: advisory identities do not protect
    /// against this. Another user's process gains nothing, because a decision is about one user's app.
    @Test(arguments: Attack.isRoot ? [false, true] : [false])
    func becomingAGrantedAppBeforeTheDaemonLooks(asAnotherUser: Bool) async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            halt()
            connection = new()
            ready, told = os.pipe()
            child = os.fork()
            if child == 0:
                if \(asAnotherUser ? "True" : "False"):
                    os.setgroups([]), os.setgid(\(Attack.nobody)), os.setuid(\(Attack.nobody))
                connect(connection)
                become(GRANTED, "signal.pause()")
            os.close(told)
            os.read(ready, 1)
            while os.readlink(f"/proc/{child}/exe") != GRANTED:
                time.sleep(0.001)
            go_on()
            print(ask(connection))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            print(ask(connection))
            """, as: attack.other)
        #expect(lines == [asAnotherUser ? "NotAuthorized notDetermined" : "location", "closed"])
    }

    /// Attack: a granted app passes its connections to another process (SCM_RIGHTS), and exits. While it runs, this
    /// is its own affair: it could also pass on what it reads. Nothing arrives after its end, neither unsolicited nor
    /// in reply to a call.
    @Test func aConnectionPassedToAnotherProcess() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            """
            here, there = socket.socketpair()
            there.set_inheritable(True)
            child = start(GRANTED, '''
            stream, calls = connect(), connect()
            send(stream, "Subscribe", more=True)
            assert receive(stream) == "location" and ask(calls, "GetAuthorization") == "authorization"
            numbers = array.array("i", [stream.fileno(), calls.fileno()])
            there = socket.socket(fileno=int(sys.argv[1]))
            there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
            there.recv(1)
            ''', there.fileno())
            _, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(8))
            numbers = array.array("i", ancillary[0][2])
            stream, calls = (socket.socket(fileno=number) for number in numbers)
            print(receive(stream), ask(calls, "GetAuthorization"))
            here.send(b"x")
            end(child)
            # What was sent before its end.
            stream.setblocking(False)
            try:
                stream.recv(1 << 20)
            except BlockingIOError:
                pass
            stream.settimeout(120)
            print(len(stream.recv(1 << 20)), ask(calls))
            """, as: attack.other)
        #expect(lines == ["location authorization", "0 closed"])
        #expect(try await attack.connections() == 0)
    }
}
