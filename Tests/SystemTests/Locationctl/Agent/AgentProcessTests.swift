import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The agent as a process, with a daemon whose prompts the test determines.
@Suite(.timeLimit(.minutes(15))) struct AgentProcessTests {
    // MARK: Lines

    @Test func linesOfInputAnswerOneQuestionAfterTheOther() async throws {
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1), AgentSamples.prompt(id: 2)])
        let input = try ProgramPipe()
        let agent = try RunningProgram.agent(
            daemon.runtime, input: input,
            ["LANG": "de_AT.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": ""])
        try await eventually("the first prompt") { agent.output.contains("1 more app waits for an answer.") }
        // Both at once, the last without a line break.
        try input.write("nonsense\nw reduced\nd")
        try input.writeEnd.close()
        try await eventually("the answers") { daemon.taken.count == 2 }
        #expect(daemon.taken[0] == .init(id: 1, answer: .whileUsing, accuracy: .reduced))
        #expect(daemon.taken[1] == .init(id: 2, answer: .deny))
        #expect(agent.output.contains("That is not an answer to this prompt"))
        #expect(daemon.agents == [.init(languages: ["de-AT"])])
        #expect(!agent.output.contains("\u{1B}"), "no terminal, no sequences")
        try await daemon.change(to: [AgentSamples.prompt(id: 3)])
        try await eventually("the end, as the input has ended") { agent.hasEnded }
        #expect(agent.exitStatus == 0)
        #expect(daemon.taken.count == 2)
    }

    @Test func theDaemonIsStartedAgain() async throws {
        var daemon: PromptingDaemon? = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let folder = daemon!.folder
        let input = try ProgramPipe()
        let agent = try RunningProgram.agent(folder.path, input: input)
        try await eventually("the prompt") { agent.output.contains("Tracker wants") }
        try await daemon!.stop()
        daemon = nil
        try await eventually("that it is not there") { agent.output.contains("Waiting for it to come back") }
        let second = try await PromptingDaemon([AgentSamples.prompt(id: 9)], folder: folder)
        try await eventually("the new prompt") { agent.output.split(separator: "Tracker wants").count == 3 }
        #expect(agent.output.split(separator: "Waiting for it to come back").count == 2, "it is said once")
        // The first line was begun for the earlier prompt.
        try input.write("once\nonce\n")
        try await eventually("the answer") { second.taken == [.init(id: 9, answer: .once, accuracy: .full)] }
        agent.signal(SIGTERM)
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.exitStatus == 0)
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
        let agent = try RunningProgram.agent(daemon.runtime, terminal: terminal, ["NO_COLOR": "1"])
        try await eventually("the prompt") { terminal.text.contains("Tracker wants") }
        #expect(terminal.text.contains("\u{1B}[?1049h"))
        #expect(!terminal.text.contains("\u{1B}[1m"), "no colour")
        #expect(terminal.attributes.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        // Enter alone answers nothing. The letter counts once the prompt has been visible for a moment.
        try await eventually("the answer") {
            terminal.type("\rw")
            // Without a reader of the terminal, the agent would block.
            return !terminal.text.isEmpty && !daemon.taken.isEmpty
        }
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing, accuracy: .full)])
        try await eventually("that no prompt is open") { terminal.text.contains("No app is waiting for an answer.") }
        // Without the answer that was typed again and again: the agent may still have to read some of that.
        try await daemon.change(to: [AgentSamples.prompt(id: 2, answers: [.deny, .dismiss])])
        try await eventually("the next prompt") {
            terminal.text.split(separator: "No app is waiting").last?.contains("Tracker wants") == true
        }
        try await daemon.change(to: [])
        try await eventually("the note about the answer") { terminal.text.contains("answered elsewhere") }
        terminal.type("\u{3}")
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.exitStatus == 0)
        #expect(terminal.text.hasSuffix("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"))
        #expect(terminal.attributes.c_lflag == before.c_lflag && terminal.attributes.c_iflag == before.c_iflag)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT]) func aSignalRestoresTheTerminal(signal: Int32) async throws {
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.attributes
        let agent = try RunningProgram.agent(daemon.runtime, terminal: terminal)
        try await eventually("the prompt") { terminal.text.contains("Tracker wants") }
        agent.signal(signal)
        try await eventually("the end") { agent.hasEnded }
        #expect(agent.exitStatus == 0)
        #expect(terminal.attributes.c_lflag == before.c_lflag)
        #expect(terminal.text.hasSuffix("\u{1B}[?1049l"))
    }

    private func locationctl(_ arguments: String, runtime: String) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime])
    }
}
