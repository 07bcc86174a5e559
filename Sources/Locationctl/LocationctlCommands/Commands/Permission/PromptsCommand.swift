internal import ArgumentParser
internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct PromptsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompts", abstract: "Lists the apps that are waiting for an answer.",
        discussion:
            "Answer a prompt with `locationctl answer`, or all prompts as they come with `locationctl agent`.")

    @Flag(help: "Keep running, and print again at every change. locationd treats this as an agent.")
    var follow = false
    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let parameters = MonitorPrompts.Parameters(uid: user.resolved, languages: Languages.preferred)
        var open = OpenPrompts()
        try await daemon.show(MonitorPrompts.self, parameters, follow: follow) { page in
            open.receive(page)
            try list.write(open.prompts) { medium in
                Self.text(open.prompts, on: medium, user: getuid())
                    + (medium.columns == nil || open.prompts.isEmpty
                        ? "" : medium.lines("Answer with `\(daemon.command("answer ID ANSWER"))`.", .hint))
            }
        }
    }

    /// Returns the table of the prompts, for a user.
    static func text(_ prompts: [Prompt], on medium: OutputMedium, user: uid_t) -> String {
        let isWindow = medium.columns != nil
        let isOwn = prompts.allSatisfy { $0.uid == Int(user) }
        let heading = medium.time.heading("SINCE", prompts.map(\.since))
        var table = Table(
            "ID", .init("APP", leastWidth: 24), .init("NAME", leastWidth: 12, isOptional: true),
            .init("USER", sacrifice: 3, usual: isOwn ? prompts.first.map(self.user(of:)) : nil),
            .init("IDENTITY", sacrifice: 1), .init("REQUESTS", leastWidth: 16),
            .init("REASON", isOptional: true, isBelow: true), .init("ACCURACY", sacrifice: 4, isOptional: true),
            .init("ANSWERS", isBelow: true), .init(heading, sacrifice: 2))
        for prompt in prompts {
            let answers = PromptAnswer.list(prompt.answers)
            table.add(
                "\(prompt.id)", prompt.app, prompt.displayName ?? "", self.user(of: prompt),
                prompt.strength.rawValue, requests(prompt), reason(prompt, columns: isWindow ? 300 : 60),
                PromptText(prompt).offersAccuracyChoice ? prompt.accuracy.rawValue : "",
                isWindow ? "answers: " + answers : answers, medium.time.minute(prompt.since),
                styles: ["REASON": prompt.ownWords ? .warning : .plain, "ANSWERS": .plain])
        }
        return table.text(on: medium, nothing: "No app is waiting for an answer.")
    }

    private static func user(of prompt: Prompt) -> String { prompt.user ?? "\(prompt.uid)" }

    private static func requests(_ prompt: Prompt) -> String {
        switch prompt.question {
        case .whenInUse: "while in use"
        case .always: "always"
        case .alwaysInsteadOfWhenInUse: "always, has while in use"
        case .keepAlways: "to continue in the background"
        case .temporaryFullAccuracy: "full accuracy for now"
        }
    }

    private static func reason(_ prompt: Prompt, columns: Int) -> String {
        guard let description = prompt.description else { return "" }
        let words = DisplayText.shortened(description, columns: columns)
        return prompt.ownWords ? "\"\(DisplayText.withoutQuotes(words))\" (its own words)" : words
    }
}

struct AnswerCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Answers a prompt.",
        discussion: """
            deny: no. once: until the app's last connection has been closed for 10 s. while-using: while the app is in \
            use. until-tomorrow: until local midnight. always: in the background too. dismiss: no answer; the app may \
            ask again. `locationctl prompts` shows the possible answers to each prompt, and the accuracy that it gets \
            without --reduced or --full.
            """)

    enum Accuracy: EnumerableFlag {
        case reduced, full

        static func help(for value: Accuracy) -> ArgumentHelp? {
            switch value {
            case .reduced: "Reduced accuracy: a cell of about 5 km, at most four times an hour."
            case .full: "Full accuracy: the app gets the location as it is."
            }
        }
    }

    @Argument(help: "The number that `locationctl prompts` shows.")
    var id: Int
    @Argument(
        help: "deny, once, while-using, until-tomorrow, always or dismiss.", transform: { try PromptAnswer.spelled($0) }
    )
    var answer: PromptAnswer
    @Flag var accuracy: Accuracy?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if accuracy != nil, !answer.grants {
            throw ValidationError("--reduced and --full cannot be combined with the answer \(answer.spelling)")
        }
    }

    /// The answer that the arguments express.
    var decision: UserDecision {
        let chosen: AccuracyAuthorization? =
            switch accuracy {
            case .reduced: .reduced
            case .full: .full
            case nil: nil
            }
        return .answer(id: id, answer, chosen)
    }

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.make(decision)
        try Terminal.writeOutput("Prompt \(id) was answered: \(answer.spelling).\n")
    }
}
