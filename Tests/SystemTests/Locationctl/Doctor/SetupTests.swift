import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl setup` with the real daemon, and pseudo-terminals for serial ports.
@Suite(.timeLimit(.minutes(15))) struct SetupTests {
    /// A machine with serial ports, in a folder, and a daemon without a receiver.
    private final class Scene: Sendable {
        let daemon: TestDaemon
        let root: TemporaryFolder

        init(ports: [String: Wire]) async throws {
            daemon = try await TestDaemon(receivers: [], configuration: "")
            root = try TemporaryFolder()
            for folder in ["dev", "sys/class/tty"] {
                try FileManager.default.createDirectory(
                    atPath: "\(root.path)/\(folder)", withIntermediateDirectories: true)
            }
            for (name, wire) in ports {
                let device = "\(root.path)/sys/class/tty/\(name)/device"
                try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: "\(root.path)/dev/\(name)", withDestinationPath: wire.path)
            }
        }

        /// The text of the written file, or `nil` if there is none.
        var written: String? {
            try? String(contentsOfFile: daemon.folder.path + "/conf.d/10-receiver.toml", encoding: .utf8)
        }

        private func arguments(_ more: [String]) -> [String] {
            [
                "setup", "--runtime-directory", daemon.runtime, "--config-directory", daemon.folder.path,
                "--system-root", root.path,
            ] + more
        }

        func start(_ more: String..., input: ProgramPipe) throws -> RunningProgram {
            try RunningProgram(
                Program.path("locationctl"), arguments(more), input: input.readEnd.fileDescriptor)
        }

        func run(_ more: String...) async throws -> Program.Result {
            try await Program.run(Program.path("locationctl"), arguments(more))
        }

        func receivers() async throws -> [String] {
            try await daemon.call(ListReceivers.self, .init()).receivers.map(\.specification)
        }

        /// Returns the decision about locationctl.
        func decision() async throws -> AuthorizationStatus {
            let app = try await daemon.ctlApp()
            return try await daemon.call(ListApps.self, UserScope(uid: nil)).apps.first { $0.app == app }?.status
                ?? .notDetermined
        }
    }

    private static let noFix =
        Sentences.sentence("GPGGA,120000.00,,,,,0,00,99.9,,M,,M,,")
        + Sentences.sentence("GPGSV,1,1,03,01,40,083,41,02,17,308,43,03,07,344,39")

    /// Sends epochs, or other text, to the wire, until it is gone.
    private func feed(_ wire: Wire, _ text: @escaping @Sendable (Int) -> String = { Sentences.epoch($0) }) {
        // A thread of its own: the test may be waiting for the others.
        Thread.detachNewThread { [weak wire] in
            var second = 0
            while let present = wire {
                present.offer(text(second))
                second += 1
                usleep(200_000)
            }
        }
    }

    private func wait(for text: String, of program: RunningProgram) async throws {
        try await eventually("\(text) in: \(program.output)\(program.errors)") { program.output.contains(text) }
    }

    @Test func placesAreRememberedAndNoMore() async throws {
        let scene = try await Scene(ports: [:])
        func places(_ options: String...) async throws -> String {
            let result = try await Program.run(
                Program.path("locationctl"), ["places", "--runtime-directory", scene.daemon.runtime] + options)
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        #expect(try await places().contains("No places are remembered."))
        let on = try await scene.run("--places")
        #expect(on.status == 0, "\(on.errors)")
        #expect(try await places() == "No place is remembered yet.\n")
        #expect(try await places("--clear") == "0 places were forgotten.\n")
        // There are neither networks nor receivers.
        let here = try await Program.run(
            Program.path("locationctl"),
            ["places", "--runtime-directory", scene.daemon.runtime, "--clear", "--here"])
        #expect(here.status == 1 && here.errors.contains("no place was forgotten"), "\(here.errors)")
        let off = try await scene.run("--no-places")
        #expect(off.status == 0 && off.output.contains("All were forgotten"), "\(off.errors)")
        #expect(try await places("--json") == "{}\n")
        // Another author's file stays.
        let path = scene.daemon.folder.path + "/conf.d/20-places.toml"
        try "[surroundings]\nplaces = false\n".write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try await scene.run("--places")
        #expect(refused.status == 1 && refused.errors.contains("was not written by this command"), "\(refused.errors)")
        scene.daemon.program.signal(SIGTERM)
        _ = try await scene.daemon.program.end()
    }

    @Test func aReceiverIsFoundConfiguredAndGranted() async throws {
        let wires = [try Wire(), try Wire()]
        feed(wires[1])
        let scene = try await Scene(ports: ["ttyUSB0": wires[0], "ttyUSB1": wires[1]])
        let source = "serial:\(scene.root.path)/dev/ttyUSB1"
        let input = try ProgramPipe()
        let program = try scene.start("--listen", "5", input: input)
        try await wait(for: "Which one is to be used? [2]", of: program)
        #expect(program.output.contains("There are 2 serial ports. Listening, without writing anything, at "))
        #expect(scene.written == nil)
        try input.write("\n")
        try await wait(for: "Have locationd read \(source)? [Y/n]", of: program)
        #expect(scene.written == nil)
        try input.write("\n")
        try await wait(for: "Ask the receiver who it is, now and whenever its port is opened?", of: program)
        try input.write("\n")
        try await wait(for: "No app gets the location", of: program)
        #expect(program.output.contains("The receiver has a fix with 9 satellites"), "\(program.output)")
        #expect(try await scene.receivers() == [source])
        #expect(scene.written?.hasSuffix("[[receiver]]\nsource = \"\(source)\"\n") == true)
        // The grant during the wait was temporary.
        #expect(try await scene.decision() == .notDetermined)
        try input.write("y\n")
        let result = try await program.end()
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try await scene.decision() == .authorizedWhenInUse)
        scene.daemon.program.signal(SIGTERM)
        _ = try await scene.daemon.program.end()
        for wire in wires { #expect(try await wire.receiveToEnd() == [], "something was written to a port") }
    }

    @Test func aReceiverIsAskedWhoItIsIfTheUserSaysSo() async throws {
        let wire = try Wire()
        feed(wire)
        let scene = try await Scene(ports: ["ttyUSB0": wire])
        let input = try ProgramPipe()
        let program = try scene.start(input: input)
        try await wait(for: "[1]", of: program)
        try input.write("\n")
        try await wait(for: "[Y/n]", of: program)
        try input.write("\n")
        try await wait(for: "Ask the receiver who it is", of: program)
        try input.write("y\n")
        // It is the answer to the second question, within 1.5 s of it.
        feed(wire) { _ in "$PMTK705,AXN_5.1.7,0001,MT3333,1.0*3C\r\n" }
        try await wait(for: "No app gets the location", of: program)
        #expect(program.output.contains("It is a receiver by MediaTek MT3333, AXN_5.1.7, protocol mtk."))
        #expect(scene.written?.hasSuffix("profile = \"auto\"\n") == true)
        try input.write("\n")
        #expect(try await program.end().status == 0)
    }

    /// Ctrl-C undoes it, even while the daemon reads the port already.
    @Test func anInterruptLeavesNothingBehind() async throws {
        let wire = try Wire()
        feed(wire) { _ in Self.noFix }
        let scene = try await Scene(ports: ["ttyS0": wire])
        let input = try ProgramPipe()
        let program = try scene.start(input: input)
        try await wait(for: "[1]", of: program)
        try input.write("1\ny\n")
        try await wait(for: "3 satellites seen, 0 used; it needs four that it receives well", of: program)
        #expect(try await scene.receivers().count == 1)
        program.signal(SIGINT)
        #expect(program.waitUntilEnd() == 1)
        #expect(program.output.hasSuffix("Interrupted.\nWhat was written is undone.\n"), "\(program.output)")
        #expect(!FileManager.default.fileExists(atPath: scene.daemon.folder.path + "/conf.d"))
        try await eventually("the configuration before") { try await scene.receivers().isEmpty }
        #expect(try await scene.decision() == .notDetermined)
    }

    @Test func optionsAnswerAndTheSecondRunReplacesTheFirst() async throws {
        let wires = [try Wire(), try Wire()]
        for wire in wires { feed(wire) }
        let scene = try await Scene(ports: ["ttyUSB0": wires[0], "ttyUSB1": wires[1]])
        let several = try await scene.run("--yes")
        #expect(several.status == 1 && several.output.contains("name one with --port"), "\(several.output)")
        #expect(scene.written == nil)
        for name in ["ttyUSB0", "ttyUSB1"] {
            let port = "\(scene.root.path)/dev/\(name)"
            let result = try await scene.run("--port", port, "--yes")
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(try await scene.receivers() == ["serial:" + port])
            #expect(result.output.contains("The receiver has a fix"))
        }
        #expect(try await scene.decision() == .authorizedWhenInUse)
        let missing = try await scene.run("--port", "/dev/nothing", "--yes")
        #expect(missing.status == 1 && missing.output.contains("there is no port /dev/nothing"))
        #expect(scene.written?.contains("ttyUSB1") == true)
    }

    @Test func aPortInUseIsSaidSo() async throws {
        let wires = [try Wire(), try Wire()]
        feed(wires[1])
        let scene = try await Scene(ports: ["ttyUSB0": wires[0], "ttyUSB1": wires[1]])
        let other = try RunningProgram("/bin/sh", ["-c", "exec sleep infinity < \(wires[0].path)"])
        defer { other.signal(SIGKILL) }
        let port = "\(scene.root.path)/dev/ttyUSB1"
        #expect(try await scene.run("--port", port, "--yes").status == 0)
        // The daemon keeps the port open for this.
        try await scene.daemon.grantSelf()
        let stream = try await scene.daemon.subscribe()
        try await scene.daemon.waitUntilOpen()
        try await eventually("both users of the ports") {
            let result = try await scene.run("--yes", "--timeout", "0", "--listen", "1")
            return result.output.contains("in use by sleep (process \(other.processIdentifier)")
                && result.output.contains("locationd reads it")
        }
        withExtendedLifetime(stream) {}
    }

    @Test func nothingIsPluggedIn() async throws {
        let scene = try await Scene(ports: [:])
        let result = try await scene.run()
        #expect(result.status == 1 && result.output.contains("No serial port was found"), "\(result.output)")
        #expect(scene.written == nil)
        let usage = try await scene.run("--timeout", "-1")
        #expect(usage.status == 2)
    }

    @Test func aFolderThatMayNotBeWrittenToIsSaidBeforehand() async throws {
        let scene = try await Scene(ports: [:])
        let result = try await Program.run(
            Program.path("locationctl"),
            ["setup", "--runtime-directory", scene.daemon.runtime, "--config-directory", "/proc/self"])
        #expect(result.status == 1 && result.errors.contains("cannot write"), "\(result.errors)")
    }
}
