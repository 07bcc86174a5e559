import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

@testable import LocationctlSupport
@testable import MachineDoctor

/// The doctor with the real daemon, in a folder of its own. Findings about an installation are left out.
@Suite(.timeLimit(.minutes(15))) struct DoctorTests {
    private func findings(_ result: Program.Result) throws -> [Finding] {
        try JSONDecoder().decode([Finding].self, from: Data(result.output.utf8))
    }

    @Test func aDaemonInAFolderOfItsOwn() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let result = try await daemon.ctl("doctor", "--json")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let found = try findings(result)
        #expect(found.contains(.ok("the daemon answers")))
        #expect(found.contains { $0.what.contains("its sockets are in \(daemon.runtime)") })
        #expect(!found.contains { $0.what.contains(".service") || $0.what.contains("group locationd") })
        let app = try await daemon.ctlApp()
        #expect(
            found.contains {
                $0.what.contains("there is no decision") && $0.advice?.contains("locationctl grant \(app)") == true
            })
        let text = try await daemon.ctl("doctor")
        #expect(text.output.contains("ok       the daemon answers\n"))
        _ = try await daemon.ctl("disable")
        let off = try await daemon.ctl("doctor")
        #expect(off.status == 1)
        // Root turns the services off for all users.
        #expect(off.lines.first?.hasPrefix("PROBLEM  location services are off") == true, "\(off.output)")
    }

    /// Under sudo, the findings are about the user who called it.
    @Test(.enabled(if: getuid() == 0, "only root may query other users"))
    func theUserWhoCalledSudo() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ctlApp()
        func notes(ofUser uid: String) async throws -> [Finding] {
            let environment = ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime, "SUDO_UID": uid]
            return try findings(
                try await Program.run(Program.path("locationctl"), ["doctor", "--json"], environment: environment))
        }
        _ = try await daemon.call(Grant.self, .init(app: app, uid: 12345, level: .whenInUse))
        #expect(try await notes(ofUser: "12345").contains(.ok("\(app) may have the location")))
        #expect(try await notes(ofUser: "12346").contains { $0.what.hasPrefix("there is no decision") })
    }

    @Test func noDaemon() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path + "/none"] {
            let result = try await Program.run(
                Program.path("locationctl"), ["doctor", "--json", "--runtime-directory", path])
            #expect(result.status == 1, "\(result.errors)")
            #expect(
                try findings(result).first?.what == "the public socket \(path)/io.locationd.Location does not exist")
        }
    }

    @Test func aDaemonThatHangs() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        defer { daemon.program.signal(SIGCONT) }
        try await daemon.halt()
        var target = Target()
        target.runtimeDirectory = daemon.runtime
        let survey = Survey(daemon: DaemonConnection(target, target), timeout: .milliseconds(200))
        let facts = await survey.facts()
        #expect(!facts.service.answers)
        let first = try #require(Examination.findings(in: facts).first)
        #expect(first.what == "the daemon does not answer")
        #expect(first.why?.contains("0.2 seconds") == true, "\(first)")
    }

    @Test func aProgramThatHoldsThePort() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        let program = try RunningProgram("/bin/sh", ["-c", "exec sleep infinity < \(wire.path)"])
        defer { program.signal(SIGKILL) }
        let what = "sleep (process \(program.processIdentifier)"
        try await eventually(what) {
            let result = try await daemon.ctl("doctor", "--json")
            return try result.status == 1
                && findings(result).contains {
                    $0.verdict == .problem && $0.what.hasPrefix(what) && $0.what.hasSuffix(" has \(wire.path) open")
                }
        }
    }

    /// The receiver's fixes have a date of their own.
    @Test func aClockThatIsFarFromTheReceivers() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        var second = 0
        try await eventually("what the clock says") {
            wire.offer(Sentences.epoch(second))
            second += 1
            let found = try findings(try await daemon.ctl("doctor", "--json"))
            return found.contains { $0.verdict == .problem && $0.what.hasPrefix("the clock is ") }
        }
        let offset = try #require(try await daemon.call(ListReceivers.self, .init()).receivers[0].clockOffset)
        let begin = try Date(
            Sentences.timestamp(0), strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        #expect(abs(offset - Date.now.timeIntervalSince(begin)) < 60)
        withExtendedLifetime(stream) {}
    }

    /// The files of the machine are read below another folder, and nothing of this machine is looked at.
    @Test func aMachineInAFolder() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let root = try TemporaryFolder()
        for (file, text) in [
            ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
            ("proc/cmdline", "console=ttyS0,115200 console=tty1\n"), ("dev/ttyS0", ""),
            ("boot/firmware/cmdline.txt", "console=serial0,115200 console=tty1\n"),
            ("boot/firmware/config.txt", "enable_uart=1\n"),
            ("etc/locationd/locationd.toml", "[[receiver]]\nsource = \"serial:/dev/serial0\"\n"),
        ] {
            let folder = "\(root.path)/\((file as NSString).deletingLastPathComponent)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try root.write(text, to: file)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/dev/serial0", withDestinationPath: "ttyS0")
        let result = try await daemon.ctl("doctor", "--json", "--system-root", root.path)
        #expect(result.status == 1, "\(result.errors)")
        let problems = try findings(result).filter { $0.verdict == .problem }
        #expect(problems.map(\.what) == ["the kernel's console is on /dev/serial0 (ttyS0)"], "\(problems.text)")
        let help = try await daemon.ctl("doctor", "--help")
        #expect(!help.output.contains("system-root"))
    }

    @Test func aConfigurationIsChecked() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/locationd.toml"
        func check(_ text: String) async throws -> Program.Result {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return try await Program.run(
                Program.path("locationd"), ["--check", "--config", file, "--runtime-directory", folder.path + "/run"])
        }
        let good = try await check("log-level = \"debug\"\n")
        #expect(good.status == 0)
        #expect(good.output.isEmpty && good.errors.isEmpty)
        let bad = try await check("log-level = \"debug\"\nrecevier = 1\n")
        #expect(bad.status == 1)
        #expect(bad.errors.contains("\(file):2: unknown key recevier"), "\(bad.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/run"))
    }

    @Test(.enabled(if: UdevRules.isPossible, "needs umockdev, udev, and a bubblewrap that can create sandboxes"))
    func whatIsPluggedIn() async throws {
        let machine = try await MockedMachine()
        let wires = [try Wire(), try Wire()]
        let devices = [
            MockedDevice("ttyACM0"),
            MockedDevice(
                "ttyUSB0", id: "0403:6001", maker: "FTDI", name: "FT232R USB UART", serial: "A50285BI"),
        ]
        for (var device, wire) in zip(devices, wires) {
            device.properties = try await UdevRules().outcome(of: device).properties.filter { $0.key.hasPrefix("ID_") }
            device.socket = device.node == "ttyUSB0" ? 2 : 1
            try await machine.plug(device, wire: wire)
        }
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.launcher)
        let command = machine.launcher + [Program.path("locationctl"), "doctor", "--json"]
        let result = try await Program.run(
            command[0], Array(command.dropFirst()), environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        let found = try findings(result)
        #expect(found.contains(.ok("udev knows \(wires[0].path) (u-blox 7) as a receiver")), "\(found.text)")
        let converter = try #require(found.first { $0.what.contains(wires[1].path) }, "\(found.text)")
        #expect(converter.verdict == .note)
        #expect(converter.what.contains("(FT232R USB UART) may be a receiver"))
        #expect(converter.advice?.contains("source = \"usb:A50285BI\"") == true)
    }
}
