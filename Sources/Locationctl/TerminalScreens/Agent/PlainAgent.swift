internal import Glibc
package import LocationctlSupport

/// The agent in lines of text.
package struct PlainAgent {
    /// The maximum length of a line of input, in bytes.
    private static let maximumLine = 4096

    let daemon: DaemonConnection
    let feed: PromptFeed

    package init(daemon: DaemonConnection, feed: PromptFeed) { (self.daemon, self.feed) = (daemon, feed) }

    /// Runs until a signal or the end of the input.
    package func run() async throws {
        let events = AgentEvents(daemon)
        await events.trap(SIGINT, SIGTERM)
        events.follow(feed)
        var dialogue = PlainAgentStateMachine(time: .machine)
        var pending: [UInt8] = []
        var isLineWanted = false
        for await event in events.all {
            let now = AgentEvents.now
            var actions: [PlainAgentStateMachine.Action] = []
            switch event {
            case .feed(.value(let prompts, _)): actions = dialogue.received(prompts, now: now)
            case .feed(.lost): actions = dialogue.lost()
            case .failed(let error): throw error
            case .answered(_, let answer, let accuracy, let failure):
                actions = dialogue.completed(answer, accuracy, failure: failure, now: now)
            case .signal: return
            case .tick: break
            case .input(let bytes):
                if bytes.isEmpty, pending.isEmpty { return }
                // The last line may lack its line end.
                pending += bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes
                guard pending.count <= Self.maximumLine else {
                    throw Failure(.failed, "an input line is longer than \(Self.maximumLine) bytes")
                }
            }
            if case .input = event, isLineWanted, !pending.contains(UInt8(ascii: "\n")) { events.read(Self.read) }
            while true {
                for action in actions {
                    switch action {
                    case .print(let text): try Terminal.writeOutput(text)
                    case .answer(let id, let answer, let accuracy): events.answer(id, answer, accuracy)
                    case .read:
                        isLineWanted = true
                        if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
                        if !pending.contains(UInt8(ascii: "\n")) { events.read(Self.read) }
                    }
                }
                guard isLineWanted, let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { break }
                isLineWanted = false
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                actions = dialogue.line(line, now: now)
            }
        }
    }

    private static func read() -> [UInt8] { TerminalWindow.readOnce() }
}
