import Foundation
import TestSupport
import Testing

/// The daemon and the service manager that runs it: the notifications, and the exit when idle.
@Suite(.timeLimit(.minutes(15))) struct ServiceManagerTests {
    @Test func whatIsTold() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            child = start()
            print(told().split("\\n")[0])
            # The first call is answered by then.
            print(ask(connect()))
            os.kill(child, signal.SIGHUP)
            reloading = told().split("\\n")
            print(reloading[0], reloading[1].split("=")[0])
            print(told().split("\\n")[0])
            with open(FOLDER + "/locationd.toml", "w") as file:
                file.write("log-level = 7\\n")
            os.kill(child, signal.SIGHUP)
            print(told().split("\\n")[0])
            kept = told()
            print(kept.split("\\n")[0], "STATUS=The previous configuration" in kept, len(kept.split("\\n")))
            os.kill(child, signal.SIGTERM)
            print(told().split("\\n")[0])
            print(ended(child))
            """)
        #expect(
            lines == [
                "READY=1", "authorization", "RELOADING=1 MONOTONIC_USEC", "READY=1", "RELOADING=1", "READY=1 True 2",
                "STOPPING=1", "0",
            ])
    }

    @Test func theWatchdogIsFedInTime() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            child = start()
            told()
            for _ in range(3):
                print(notices.recv(4096).decode())
            os.kill(child, signal.SIGTERM)
            # Nobody reads them any more: once ten of them waited there, the daemon would wait too, and not end.
            notices.close()
            print(ended(child))
            """, environment: #"{"WATCHDOG_USEC": "400000"}"#)
        #expect(lines == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "0"])
    }

    /// A client that connects while the daemon exits is served by the next one. Nobody is turned away.
    @Test func itEndsWhenThereIsNothingToDo() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            # It is connected to before it starts: however slow the machine is, it is not idle.
            connection = connect()
            child = start()
            for _ in range(3):
                print(told().split("\\n")[0])
                print(ask(connection), is_asked_for())
                connection.close()
                print(told().split("\\n")[0])
                connection = connect()
                print(ended(child), is_asked_for())
                child = start()
                print(ask(connection))
            told()
            os.kill(child, signal.SIGTERM)
            print(ended(child))
            """, configuration: "exit-when-idle = 1\n")
        #expect(
            lines == Array(
                repeating: ["READY=1", "authorization False", "STOPPING=1", "0 True", "authorization"], count: 3
            ).flatMap(\.self) + ["0"])
    }

    /// An open connection keeps the daemon running, however long nothing arrives on it.
    @Test func itStaysForAConnection() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            # It is connected to before it starts: however slow the machine is, it is not idle.
            idle = connect()
            child = start()
            told()
            ask(idle)
            # Others come and go for longer than it would wait.
            deadline = time.monotonic() + 2.5
            while time.monotonic() < deadline:
                other = connect()
                ask(other)
                other.close()
                time.sleep(0.3)
            print(ask(idle))
            idle.close()
            print(told().split("\\n")[0], ended(child))
            """, configuration: "exit-when-idle = 1\n")
        #expect(lines == ["authorization", "STOPPING=1 0"])
    }

    /// The service manager holds the sockets for clients of gpsd too: one name for all of them.
    @Test func clientsOfGPSDAreServedOnItsSockets() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            # The client's connection waits for the daemon to start.
            first = connect_to_gpsd(3)
            child = start()
            told()
            print(greeting(first))
            for index in [2, 3]:
                print(greeting(connect_to_gpsd(index)))
            print(ask(connect()))
            os.kill(child, signal.SIGTERM)
            told()
            print(ended(child))
            """)
        #expect(lines == ["VERSION", "VERSION", "VERSION", "authorization", "0"])
    }

    /// Where a socket unit is not there, the daemon opens the sockets that its configuration names. With one that is, it
    /// leaves them to the service manager.
    @Test func theServiceManagersSocketsComeFirst() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            before = os.stat(FOLDER + "/run/gpsd").st_ino
            child = start()
            told()
            print(greeting(connect_to_gpsd(2)))
            print(os.stat(FOLDER + "/run/gpsd").st_ino == before)
            os.kill(child, signal.SIGTERM)
            told()
            print(ended(child))
            """, configuration: "[gpsd]\nsocket = true\n")
        #expect(lines == ["VERSION", "True", "0"])
    }

    /// A client of gpsd keeps the daemon running, and one that connects while the daemon exits is served by the next one.
    @Test func itStaysForAClientOfGPSD() async throws {
        let lines = try await ServiceManagerScript.run(
            """
            idle = connect_to_gpsd(3)
            child = start()
            told()
            print(greeting(idle))
            # Others come and go for longer than it would wait.
            deadline = time.monotonic() + 2.5
            while time.monotonic() < deadline:
                other = connect()
                ask(other)
                other.close()
                time.sleep(0.3)
            idle.sendall(b"?VERSION;")
            print(greeting(idle))
            idle.close()
            print(told().split("\\n")[0])
            next_one = connect_to_gpsd(3)
            print(ended(child), is_asked_for())
            child = start()
            print(greeting(next_one))
            told()
            os.kill(child, signal.SIGTERM)
            print(ended(child))
            """, configuration: "exit-when-idle = 1\n")
        #expect(lines == ["VERSION", "VERSION", "STOPPING=1", "0 True", "VERSION", "0"])
    }

    /// Sockets and the bus are opened at startup: the administrator who changes that is told what to do.
    @Test func aKeyThatNeedsARestartIsNamed() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try "discover = false\n[gpsd]\nsocket = true\n[geoclue]\nenabled = true\n".write(
            toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await eventually("the keys in the log") {
            ["gpsd.socket", "geoclue.enabled"].allSatisfy {
                daemon.log.contains("the new value of \($0) has no effect yet: restart locationd")
            }
        }
        #expect(!daemon.log.contains("gpsd.listen"))
        #expect(!FileManager.default.fileExists(atPath: daemon.runtime + "/gpsd"))
    }
}
