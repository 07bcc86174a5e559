import Foundation
import TestSupport
import Testing

/// The daemon and the service manager that runs it: the notifications, and the exit when idle.
@Suite(.timeLimit(.minutes(15))) struct ServiceManagerTests {
    @Test func whatIsTold() async throws {
        let lines = try await ServiceManagerScript.run(Program.script("ServiceManager/notifications"))
        #expect(
            lines == [
                "READY=1", "authorization", "RELOADING=1 MONOTONIC_USEC", "READY=1", "RELOADING=1", "READY=1 True 2",
                "STOPPING=1", "0",
            ])
    }

    @Test func theWatchdogIsFedInTime() async throws {
        let lines = try await ServiceManagerScript.run(
            Program.script("ServiceManager/watchdog"), environment: #"{"WATCHDOG_USEC": "400000"}"#)
        #expect(lines == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "0"])
    }

    /// A client that connects while the daemon exits is served by the next one. No client is refused.
    @Test func itEndsWhenThereIsNothingToDo() async throws {
        let lines = try await ServiceManagerScript.run(
            Program.script("ServiceManager/idle"), configuration: "exit-when-idle = 1\n")
        #expect(
            lines == Array(
                repeating: ["READY=1", "authorization False", "STOPPING=1", "0 True", "authorization"], count: 3
            ).flatMap(\.self) + ["0"])
    }

    /// An open connection keeps the daemon running, however long nothing arrives on it.
    @Test func itStaysForAConnection() async throws {
        let lines = try await ServiceManagerScript.run(
            Program.script("ServiceManager/open_connection"), configuration: "exit-when-idle = 1\n")
        #expect(lines == ["authorization", "STOPPING=1 0"])
    }

    /// The service manager holds the sockets for clients of gpsd too: one name for all of them.
    @Test func clientsOfGPSDAreServedOnItsSockets() async throws {
        let lines = try await ServiceManagerScript.run(Program.script("ServiceManager/gpsd_sockets"))
        #expect(lines == ["VERSION", "VERSION", "VERSION", "authorization", "0"])
    }

    /// Where a socket unit is not there, the daemon opens the sockets that its configuration names. With one that is,
    /// it leaves them to the service manager.
    @Test func theServiceManagersSocketsComeFirst() async throws {
        let lines = try await ServiceManagerScript.run(
            Program.script("ServiceManager/own_sockets"), configuration: "[gpsd]\nsocket = true\n")
        #expect(lines == ["VERSION", "True", "0"])
    }

    /// A client of gpsd keeps the daemon running, and one that connects while the daemon exits is served by the next
    /// one.
    @Test func itStaysForAClientOfGPSD() async throws {
        let lines = try await ServiceManagerScript.run(
            Program.script("ServiceManager/gpsd_client"), configuration: "exit-when-idle = 1\n")
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
