import Authorization
import CLinux
import Foundation
import LocationProtocol
import Positioning
import Testing
import Varlink

/// The agent and its kin as processes, against a daemon of which every question is known.
@Suite(.timeLimit(.minutes(3))) struct AgentProcessTests {
    // MARK: Lines

    @Test func linesOfInputAnswerOneQuestionAfterTheOther() async throws {
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1), AgentSamples.prompt(id: 2)])
        let input = Pipe()
        let agent = try Agent(daemon.runtime, input: input.fileHandleForReading, ["LANG": "de_AT.UTF-8", "LC_ALL": ""])
        try await eventually("the first question") { agent.output.contains("Question 1 (1 more after it)") }
        // Both at once, the last without an end of line.
        try input.fileHandleForWriting.write(contentsOf: Data("nonsense\nw reduced\nd".utf8))
        try input.fileHandleForWriting.close()
        try await eventually("the answers") { daemon.taken.count == 2 }
        #expect(daemon.taken[0] == .init(id: 1, answer: .whileUsing, accuracy: .reduced))
        #expect(daemon.taken[1] == .init(id: 2, answer: .deny))
        #expect(agent.output.contains("That is no answer here"))
        #expect(daemon.agents == [.init(languages: ["de-AT"])])
        #expect(!agent.output.contains("\u{1B}"), "no terminal, no sequences")
        try await daemon.change(to: [AgentSamples.prompt(id: 3)])
        try await eventually("the end, as the input has ended") { agent.hasEnded }
        #expect(agent.status == 0)
        #expect(daemon.taken.count == 2)
    }

    @Test func theDaemonIsStartedAgain() async throws {
        var daemon: PromptingDaemon? = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let folder = daemon!.folder
        let input = Pipe()
        let agent = try Agent(folder.path, input: input.fileHandleForReading)
        try await eventually("the question") { agent.output.contains("Question 1\n") }
        try await daemon!.stop()
        daemon = nil
        try await eventually("that it is not there") { agent.output.contains("waiting until it is back") }
        let second = try await PromptingDaemon([AgentSamples.prompt(id: 9)], folder: folder)
        try await eventually("the new question") { agent.output.contains("Question 9\n") }
        #expect(agent.output.split(separator: "waiting until it is back").count == 2, "it is said once")
        // The first line was begun for the question of before.
        try input.fileHandleForWriting.write(contentsOf: Data("once\nonce\n".utf8))
        try await eventually("the answer") { second.taken == [.init(id: 9, answer: .once, accuracy: .full)] }
        agent.signal(SIGTERM)
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.status == 0)
    }

    @Test func withoutADaemonAtFirst() async throws {
        for arguments in ["agent", "prompts", "answer 1 deny", "indicator", "log"] {
            let result = try await locationctl(arguments, runtime: "/nonexistent")
            #expect(result.status == 3, "\(result.errors)")
        }
    }

    // MARK: A terminal

    @Test func theAgentInATerminal() async throws {
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let terminal = try PseudoTerminal(columns: 60, rows: 24)
        let before = terminal.attributes
        let agent = try Agent(daemon.runtime, terminal: terminal, ["NO_COLOR": "1"])
        try await eventually("the question") { terminal.text.contains("Question 1") }
        #expect(terminal.text.contains("\u{1B}[?1049h"))
        #expect(!terminal.text.contains("\u{1B}[1m"), "no colour")
        #expect(terminal.attributes.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        // Enter alone answers nothing; what counts is the letter, once the question has stood for a moment.
        try await eventually("the answer") {
            terminal.type("\rw")
            // A terminal that does not read would stop the agent.
            return !terminal.text.isEmpty && !daemon.taken.isEmpty
        }
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing, accuracy: .full)])
        try await eventually("that nobody asks") { terminal.text.contains("No app asks for the location now.") }
        try await daemon.change(to: [AgentSamples.prompt(id: 2)])
        try await eventually("the next question") { terminal.text.contains("Question 2") }
        try await daemon.change(to: [])
        try await eventually("who answered") { terminal.text.contains("answered elsewhere") }
        terminal.type("\u{3}")
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.status == 0)
        #expect(terminal.text.hasSuffix("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"))
        #expect(terminal.attributes.c_lflag == before.c_lflag && terminal.attributes.c_iflag == before.c_iflag)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT]) func aSignalRestoresTheTerminal(signal: Int32) async throws {
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.attributes
        let agent = try Agent(daemon.runtime, terminal: terminal)
        try await eventually("the question") { terminal.text.contains("Question 1") }
        agent.signal(signal)
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.status == 0)
        #expect(terminal.attributes.c_lflag == before.c_lflag)
        #expect(terminal.text.hasSuffix("\u{1B}[?1049l"))
    }

    // MARK: The other commands

    @Test func promptsAndTheirAnswers() async throws {
        var temporary = AgentSamples.prompt(
            id: 2, question: .temporaryFullAccuracy, answers: [.deny, .once, .dismiss])
        temporary.description = nil
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1), temporary])
        func run(_ arguments: String) async throws -> Program.Result {
            try await locationctl(arguments, runtime: daemon.runtime)
        }
        let table = try await run("prompts").lines
        #expect(table.count == 3)
        #expect(table[1].contains("\"to show where you are\" (its own words)"))
        #expect(table[2].contains("full accuracy for now") && table[2].contains("deny, once, dismiss"))
        let json = try await run("prompts --json")
        #expect(try JSONDecoder().decode([Shown].self, from: Data(json.output.utf8)).map(\.id) == [1, 2])
        let wrong = try await run("answer 2 always")
        #expect(wrong.status == 1 && wrong.errors.contains("deny, once, dismiss"), "\(wrong.errors)")
        let gone = try await run("answer 77 deny")
        #expect(gone.status == 1 && gone.errors.contains("question 77 is not open"), "\(gone.errors)")
        #expect(
            try await run("answer 1 until-tomorrow --reduced").output == "Question 1 is answered: until-tomorrow.\n")
        #expect(try await run("answer 2 once").status == 0)
        #expect(
            daemon.taken == [
                .init(id: 1, answer: .untilTomorrow, accuracy: .reduced), .init(id: 2, answer: .once),
            ])
        #expect(try await run("prompts").output == "No app waits for an answer.\n")
        for usage in ["answer 1 yes", "answer x deny", "answer 1 deny --full", "answer 1 once --full --reduced"] {
            #expect(try await run(usage).status == 2)
        }
    }

    private struct Shown: Decodable { var id: Int }

    @Test func whoUsesTheLocation() async throws {
        let apps: JSONValue = [
            "apps": [
                [
                    "app": "app:a", "uid": 7, "displayName": "<b>M&ps</b>\u{1B}\u{202E}", "active": true,
                    "background": true, "accuracy": "full", "lastUse": "2026-06-01T12:00:00.000Z",
                ],
                [
                    "app": "exe:/usr/bin/foo", "uid": 7, "active": false, "background": false, "accuracy": "reduced",
                    "lastUse": "2026-06-01T09:30:00.000Z",
                ],
            ]
        ]
        let daemon = try await ScriptedDaemon(["GetIndicator": .replies([apps])])
        let table = try await locationctl("indicator", runtime: daemon.runtime)
        #expect(
            table.output == """
                   APP               NAME           UID  LAST USE (UTC)    ACCURACY  BACKGROUND
                *  app:a             <b>M&ps</b>\u{FFFD}\u{FFFD}  7    now               full      yes
                   exe:/usr/bin/foo                 7    2026-06-01 09:30  reduced

                """)
        let bar = try await locationctl("indicator --waybar --follow", runtime: daemon.runtime)
        let shown = try JSONDecoder().decode([String: String].self, from: Data(bar.output.utf8))
        let name = "&lt;b&gt;M&amp;ps&lt;/b&gt;\u{FFFD}\u{FFFD}"
        #expect(
            shown == [
                "text": name, "class": "background",
                "tooltip": name + ": now, in background\nexe:/usr/bin/foo: 2026-06-01 09:30 UTC, reduced accuracy",
            ])
        #expect(bar.lines.count == 1)
        #expect(try await locationctl("indicator --waybar --json", runtime: daemon.runtime).status == 2)
        let idle = try await ScriptedDaemon(["GetIndicator": .replies([["apps": []] as JSONValue])])
        #expect(
            try await locationctl("indicator --waybar", runtime: idle.runtime).output
                == "{\"text\":\"\",\"tooltip\":\"\",\"class\":\"idle\"}\n")
        #expect(try await locationctl("indicator --follow --json", runtime: idle.runtime).output == "[]\n")
    }

    @Test func whatWasSent() async throws {
        let daemon = try await ScriptedDaemon([
            "GetAccessLog": .replies([
                [
                    "entries": [
                        [
                            "app": "app:a", "uid": 7, "hour": "2026-06-01T12:00:00.000Z", "deliveries": 60,
                            "accuracy": "full", "background": true,
                        ]
                    ]
                ] as JSONValue
            ])
        ])
        #expect(
            try await locationctl("log", runtime: daemon.runtime).output == """
                HOUR (UTC)        APP    UID  SENT  ACCURACY  BACKGROUND
                2026-06-01 12:00  app:a  7    60    full      yes

                """)
        let json = try await locationctl("log --json", runtime: daemon.runtime)
        #expect(json.output.hasPrefix("[{\"app\":\"app:a\""))
    }

    @Test func whatAppsWaitFor() async throws {
        let app: JSONValue = [
            "app": "exe:/opt/tracker/bin/tracker", "uid": 1000, "strength": "advisory",
            "status": "authorizedWhenInUse", "accuracy": "reduced", "lifetime": "permanent", "displayName": "Tracker",
            "temporarilyFull": true, "connections": 1, "sessions": 1,
        ]
        let prompt = AgentSamples.prompt(id: 5, question: .alwaysInsteadOfWhenInUse, answers: [.whileUsing, .always])
        let daemon = try await ScriptedDaemon([
            "ListApps": .replies([["apps": [app]] as JSONValue]),
            "MonitorPrompts": .replies([MonitorPrompts.Reply(prompts: [prompt])]),
        ])
        let shown = try await locationctl("apps", runtime: daemon.runtime)
        #expect(shown.lines[1].contains("Tracker  1000  when in use, full accuracy for now"), "\(shown.output)")
        let waits = try #require(shown.lines.last)
        #expect(waits.hasPrefix("exe:/opt/tracker/bin/tracker waits: run `locationctl answer 5 ANSWER"))
        #expect(waits.hasSuffix("with while-using, always."))
    }

    @Test func whatTheAdministratorForbidsNobodyGrants() async throws {
        let daemon = try await ScriptedDaemon([
            "Grant": .error(VarlinkError("io.locationd.Manage.Restricted", parameters: ["app": "exe:/x\u{1B}"]))
        ])
        let result = try await locationctl("grant exe:/x", runtime: daemon.runtime)
        #expect(result.status == 1)
        #expect(result.errors.contains("configuration forbids exe:/x\u{FFFD} the location"), "\(result.errors)")
    }

    private func locationctl(_ arguments: String, runtime: String) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime])
    }
}

/// A running `locationctl agent`.
private final class Agent {
    private let process = Process()
    private let folder: TemporaryFolder
    var output: String { (try? String(contentsOfFile: folder.path + "/out", encoding: .utf8)) ?? "" }
    var hasEnded: Bool { !process.isRunning }
    var status: Int32 { process.terminationStatus }

    /// With its output in a file.
    init(_ runtime: String, input: FileHandle, _ environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: folder.path + "/out", contents: nil)
        try start(runtime, input, FileHandle(forWritingAtPath: folder.path + "/out"), environment)
    }

    init(_ runtime: String, terminal: PseudoTerminal, _ environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        try start(runtime, terminal.slave, terminal.slave, environment)
    }

    deinit { if process.isRunning { process.terminate() } }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    private func start(
        _ runtime: String, _ input: FileHandle, _ output: FileHandle?, _ environment: [String: String]
    ) throws {
        process.executableURL = URL(filePath: Program.path("locationctl"))
        process.arguments = ["agent", "--runtime-directory", runtime]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        // A child inherits the signals that this thread blocks, and would not hear SIGTERM.
        var blocked = sigset_t()
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }
}

/// A terminal whose screen is a text with everything that was written to it.
private final class PseudoTerminal {
    let slave: FileHandle
    private let master: Int32
    private var bytes: [UInt8] = []

    init(columns: UInt16, rows: UInt16) throws {
        var path = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        master = pty_open(&path)
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard master >= 0, let slave = FileHandle(forUpdatingAtPath: name) else {
            throw POSIXError(.ENXIO)
        }
        self.slave = slave
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave.fileDescriptor, UInt(TIOCSWINSZ), &size)
        // As a login shell has it.
        var attributes = attributes
        attributes.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
        attributes.c_iflag |= tcflag_t(ICRNL)
        _ = tcsetattr(slave.fileDescriptor, TCSANOW, &attributes)
    }

    deinit { close(master) }

    var attributes: termios {
        var attributes = termios()
        tcgetattr(slave.fileDescriptor, &attributes)
        return attributes
    }

    /// What was written so far. The master does not wait.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func type(_ keys: String) {
        let keys = Array(keys.utf8)
        _ = write(master, keys, keys.count)
    }
}
