import Testing

@testable import LocationctlCommands

/// Errors in the command line.
@Suite struct UsageTextTests {
    @Test(arguments: [
        ("statsu", "status"), ("app", "apps"), ("reciever", "receivers"), ("grnat", "grant"),
        ("satelites", "satellites"),
        ("dash", "dashboard"), ("doctr --json", "doctor"), ("help promts", "prompts"),
    ])
    func aCommandThatIsMeant(line: String, name: String) {
        let unknown = UnknownCommand.find(in: line.split(separator: " ").map(String.init))
        #expect(unknown?.suggestion == name)
        #expect(unknown?.message.hasSuffix("did you mean `locationctl \(name)`?") == true)
    }

    @Test func aCommandOfAGroup() {
        let unknown = UnknownCommand.find(in: [
            "--runtime-directory", "/x", "region", "--runtime-directory", "/y", "lsit",
        ])
        #expect(
            unknown?.message == "locationctl: there is no command \"lsit\": did you mean `locationctl region list`?")
    }

    @Test(arguments: ["nonsense", "x", "\u{1B}[31m", String(repeating: "a", count: 100_000), "地図", ""])
    func aCommandThatIsLikeNone(word: String) throws {
        let unknown = try #require(UnknownCommand.find(in: [word]))
        #expect(unknown.suggestion == nil)
        #expect(unknown.message.hasSuffix("see `locationctl --help`") && !unknown.message.contains("\u{1B}"))
        #expect(unknown.message.utf8.count < 400)
    }

    @Test(arguments: [["status"], ["region", "add", "x"], [], ["--help"], ["help"], ["grant", "statsu"]])
    func knownCommandsAreNone(arguments: [String]) { #expect(UnknownCommand.find(in: arguments) == nil) }

    @Test func oneVoice() {
        let text = "Missing expected argument '<app>'\nHelp:  <app>  As apps shows it."
        #expect(
            UsageText.refusal("Error: " + text, of: ["grant"])
                == "locationctl: m" + text.dropFirst()
        )
        #expect(
            UsageText.refusal("Error: Unexpected argument 'statsu'\nUsage: locationctl", of: ["statsu"])
                == "locationctl: there is no command \"statsu\": did you mean `locationctl status`?\nUsage: locationctl"
        )
    }
}
