import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// `locationctl setup --corrections` with the real daemon and locationd-ntrip, and a caster and a systemctl by script.
@Suite(.serialized, .timeLimit(.minutes(15))) struct CorrectionsSetupTests {
    private static let unit = "locationd-ntrip@base.service"
    private static let frames = RTCMFrames.referencePoint + RTCMFrames.message(1077) + RTCMFrames.message(1230)
    private static let table = """
        SOURCETABLE 200 OK\r
        \r
        STR;FAR;x;RTCM 3.2;;2;GPS;N;DEU;57.3;8.7;0;0;x;none;N;N;9600;\r
        STR;BASE;x;RTCM 3.2;;2;GPS;N;DEU;47.3;8.7;0;0;x;none;N;N;9600;\r
        STR;OLD;x;RTCM 2.3;;2;GPS;N;DEU;47.3;8.7;0;0;x;none;N;N;9600;\r
        ENDSOURCETABLE\r

        """

    private final class Scene {
        let receiver: CorrectionsTests.Scene
        let root: TemporaryFolder
        let address: String
        private let caster: RunningProgram
        private let manager: RunningProgram
        private let input: ProgramPipe

        /// - Parameters:
        ///   - answer: The caster's answer to the request for a mount point; frames without end follow `ICY`.
        ///   - table: The caster's list.
        init(
            answer: String = "ICY 200 OK\r\n", table: String = CorrectionsSetupTests.table
        ) async throws {
            receiver = try await CorrectionsTests.Scene(model: "ZED-F9P", firmware: "HPG 1.32")
            (root, input) = (try TemporaryFolder(), try ProgramPipe())
            let port = try ReservedPort()
            address = "ntrip://127.0.0.1:\(port.number)"
            func digits(_ bytes: [UInt8]) -> String {
                bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
            }
            var plan = ["answer": digits(Array(answer.utf8)), "table": digits(Array(table.utf8))]
            if answer.hasPrefix("ICY") { plan["repeat"] = digits(CorrectionsSetupTests.frames) }
            caster = try RunningProgram(
                "/usr/bin/python3",
                [
                    "-c", Program.script("Servers/ntrip_caster"), "\(port.number)",
                    String(decoding: try JSONEncoder().encode(plan), as: UTF8.self),
                ])
            let daemon = receiver.daemon
            manager = try RunningProgram(
                "/usr/bin/python3",
                [
                    "-c", Program.script("ServiceManager/one_unit"), root.path, Program.path("locationd-ntrip"),
                    "--config", daemon.folder.path + "/ntrip/base.toml",
                ], environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
            let systemctl = try root.write(
                """
                #!/bin/sh
                echo "$@" >>\(root.path)/asked
                case $1 in
                is-enabled) [ -e \(root.path)/enabled ] ;;
                enable) touch \(root.path)/enabled ;;
                disable) rm -f \(root.path)/enabled ;;
                show) printf 'Id=\(CorrectionsSetupTests.unit)\\nActiveState=active\\nStatusText=%s\\n' \
                    "$(cat \(root.path)/status 2>/dev/null)" ;;
                esac
                """, to: "systemctl")
            chmod(systemctl, 0o755)
            try await eventually("the caster and the manager: \(caster.errors) \(manager.errors)") {
                [caster, manager].allSatisfy { !$0.lines.isEmpty }
            }
        }

        var asked: String { (try? String(contentsOfFile: root.path + "/asked", encoding: .utf8)) ?? "" }
        /// The configuration of the instance, or `nil` if there is none.
        var written: String? {
            try? String(contentsOfFile: receiver.daemon.folder.path + "/ntrip/base.toml", encoding: .utf8)
        }

        func credential(_ name: String) -> String? {
            try? String(contentsOfFile: root.path + "/credstore/locationd-ntrip.base.\(name)", encoding: .utf8)
        }

        /// Runs locationctl to its end, with lines as answers, while the receiver sends and answers.
        ///
        /// - Parameter users: The file that it sees as passwd(5), or `nil` for the machine's.
        func run(_ options: String..., answers: String = "", users: String? = nil) async throws -> Program.Result {
            try input.write(answers)
            let program = try start(options, input: input.readEnd.fileDescriptor, users: users)
            try await receiver.drive("the end: \(program.output)\(program.errors)") { program.hasEnded }
            return try await program.end()
        }

        func start(
            _ options: [String], input: CInt, output: CInt? = nil, users: String? = nil
        ) throws -> RunningProgram {
            let launcher =
                users.map {
                    ["/usr/bin/unshare", "-m", "sh", "-c", #"mount --bind "$0" /etc/passwd && exec "$@""#, $0]
                } ?? []
            let command =
                launcher + [
                    Program.path("locationctl"), "setup", "--corrections", "--runtime-directory",
                    receiver.daemon.runtime, "--config-directory",
                    receiver.daemon.folder.path, "--credential-directory", root.path + "/credstore",
                    "--ntrip-program", Program.path("locationd-ntrip"),
                ] + options
            return try RunningProgram(
                command[0], Array(command.dropFirst()),
                environment: ["PATH": root.path + ":/usr/sbin:/usr/bin:/sbin:/bin"], input: input, output: output)
        }
    }

    @Test func theNearestStationIsChosenConfiguredAndTested() async throws {
        let scene = try await Scene()
        let result = try await scene.run(
            "--caster", scene.address, answers: "\nanna\nse:cret\n\n")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        // The nearest comes first; the caster gets no position.
        #expect(
            scene.written == """
                # By `locationctl setup --corrections`, which replaces this file when it is run again.
                caster = "\(scene.address)/BASE"
                position = "none"

                """)
        #expect(scene.credential("user") == "anna\n" && scene.credential("password") == "se:cret\n")
        for (path, mode) in [("credstore", 0o700), ("credstore/locationd-ntrip.base.password", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(scene.root.path)/\(path)")
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(!result.output.contains("se:cret") && result.output.contains("everyone on the way can read the"))
        #expect(!result.output.contains("OLD") && result.output.contains(", too far"), "\(result.output)")
        #expect(scene.asked.contains("enable --now \(Self.unit)\n"))
        #expect(result.output.contains("Receiving corrections of BASE: messages 1005 1077 1230 from station "))
        #expect(scene.receiver.written.contains(Self.frames))
        // The grant during the test was temporary.
        let app = try await scene.receiver.daemon.ctlApp()
        let apps = try await scene.receiver.daemon.call(ListApps.self, UserScope(uid: nil)).apps
        #expect(apps.first { $0.app == app }?.status ?? .notDetermined == .notDetermined)
    }

    /// Only an instance whose caster needs a position gets a grant, for the cell, and it loses it if the setup fails.
    @Test(
        .enabled(if: Attack.isRoot, "needs root, to have a user of that name"),
        arguments: [("ICY 200 OK\r\n", 0), ("HTTP/1.1 401 Unauthorized\r\n\r\n", 1)] as [(String, Int32)])
    func aCasterThatNeedsThePositionGetsTheCell(answer: String, status: Int32) async throws {
        let table = Self.table.replacing("47.3;8.7;0;", with: "47.3;8.7;1;")
        let scene = try await Scene(answer: answer, table: table)
        let daemon = scene.receiver.daemon
        // The unit's process is root's here, and no service.
        let program = AppScope(app: "exe:" + Program.path("locationd-ntrip"), uid: 0)
        _ = try await daemon.call(
            Grant.self, .init(app: program.app, uid: 0, level: .always, accuracy: .reduced))
        let users = try scene.root.write(
            try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
                + "locationd-ntrip:x:4242:4242::/:/usr/sbin/nologin\n", to: "passwd")
        let result = try await scene.run("--caster", scene.address + "/BASE", "--yes", users: users)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        let apps = try await daemon.call(ListApps.self, UserScope(uid: 4242)).apps
        let instance = apps.first { $0.app == "service:locationd-ntrip@base" }
        #expect((instance?.decided ?? .notDetermined) == (status == 0 ? .authorizedAlways : .notDetermined))
        #expect(status != 0 || instance?.accuracy == .reduced)
        #expect(scene.written?.contains("position = \"reduced\"\n") == (status == 0 ? true : nil))
    }

    @Test func aPasswordIsNotShown() async throws {
        let scene = try await Scene()
        let terminal = try PseudoTerminal(columns: 100, rows: 24)
        let program = try scene.start(["--caster", scene.address], input: terminal.slave, output: terminal.slave)
        for (question, answer) in [
            ("The number", "\n"), ("The user", "anna\n"), ("The password", "se:cret\n"), ("[Y/n]", "n\n"),
        ] {
            try await scene.receiver.drive("\(question) \(program.errors)") { terminal.text.contains(question) }
            terminal.type(answer)
        }
        try await scene.receiver.drive("the end") { program.hasEnded }
        #expect(program.exitStatus == 1 && scene.written == nil && scene.credential("password") == nil)
        #expect(terminal.text.contains("anna") && !terminal.text.contains("se:cret"), "\(terminal.text)")
        #expect(terminal.attributes.c_lflag & tcflag_t(ECHO) != 0)
    }

    @Test func aFailureLeavesTheFormerFiles() async throws {
        let scene = try await Scene(answer: "HTTP/1.1 401 Unauthorized\r\n\r\n")
        let refused = try await scene.run("--caster", scene.address + "/BASE", answers: "anna\nwrong\ny\n")
        #expect(refused.status == 1 && refused.errors.contains("does not accept the user"), "\(refused.errors)")
        #expect(scene.written == nil && scene.credential("user") == nil && scene.credential("password") == nil)
        #expect(!FileManager.default.fileExists(atPath: scene.receiver.daemon.folder.path + "/ntrip"))
        #expect(scene.asked.contains("disable --now \(Self.unit)\n"))

        let former = "# By `locationctl setup --corrections`\ncaster = \"ntrip://a/B\"\n"
        let folder = scene.receiver.daemon.folder
        try FileManager.default.createDirectory(atPath: folder.path + "/ntrip", withIntermediateDirectories: false)
        try folder.write(former, to: "ntrip/base.toml")
        let again = try await scene.run("--caster", scene.address + "/BASE", "--yes")
        #expect(again.status == 1 && scene.written == former, "\(again.errors)")
        #expect(scene.asked.hasSuffix("try-restart \(Self.unit)\n"))

        try folder.write("caster = \"ntrip://a/B\"\n", to: "ntrip/base.toml")
        let others = try await scene.run("--caster", scene.address + "/BASE", "--yes")
        #expect(others.status == 1 && others.errors.contains("was not written by this command"), "\(others.errors)")
    }

    @Test func whatIsMissingIsSaidWithTheRemedy() async throws {
        let scene = try await Scene()
        let mount = try await scene.run("--caster", scene.address + "/GONE")
        #expect(mount.status == 1 && mount.errors.contains("has no mount point GONE"), "\(mount.errors)")
        let caster = try await scene.run("--caster", "ntrip://127.0.0.1:1")
        #expect(caster.status == 1 && caster.errors.contains("there is no list of ntrip://127.0.0.1:1/"))
        let package = try await scene.receiver.daemon.ctl("setup", "--corrections", "--ntrip-program", "/nowhere")
        #expect(package.status == 1 && package.errors.contains("sudo apt install locationd-ntrip"))
        for options in [["--caster", "ntrip://a"], ["--corrections", "--caster", "http://a"]] {
            let usage = try await Program.run(Program.path("locationctl"), ["setup"] + options)
            #expect(usage.status == 2, "\(options): \(usage.errors)")
        }
        #expect(scene.written == nil && scene.asked.isEmpty)
    }
}
