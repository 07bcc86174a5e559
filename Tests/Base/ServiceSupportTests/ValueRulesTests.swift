import Testing

@testable import ServiceSupport

/// The rules for values in configuration files.
@Suite struct ValueRulesTests {
    private enum Colour: String, CaseIterable {
        case red, green
    }

    private struct NoLetters: Error, CustomStringConvertible {
        var description: String { "there are no letters" }
    }

    /// A file with a key for each rule.
    private struct File: Decodable {
        var colour: Colour?
        var count: Int?
        var delay: Double?
        var words: [String]?

        enum CodingKeys: CodingKey {
            case colour, count, delay, words
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            colour = try container.decodeIfPresent(
                .colour, by: OneOf<Colour> { "\"\($0)\" is not a colour: use one of \($1)" })
            count = try container.decodeIfPresent(.count, by: InRange(1...5, "a whole number of sheep"))
            delay = try container.decodeIfPresent(.delay, by: InRange(0.5...10, "a number of seconds"))
            words = try container.decodeListIfPresent(
                .words,
                by: Parsed { text throws -> String in
                    guard text.contains(where: \.isLetter) else { throw NoLetters() }
                    return text.uppercased()
                })
        }
    }

    private func file(_ text: String) throws -> File {
        try TOMLText(text, file: "a.toml").decode(File.self, allowed: ["colour", "count", "delay", "words"])
    }

    @Test func validValues() throws {
        let file = try file("colour = \"green\"\ncount = 5\ndelay = 0.5\nwords = [\"a1\", \"b\"]\n")
        #expect(file.colour == .green && file.count == 5 && file.delay == 0.5 && file.words == ["A1", "B"])
        #expect(try self.file("delay = 10\n").delay == 10)
    }

    @Test func someOfTheValues() throws {
        let rule = OneOf(among: [Colour.red]) { "\($0), not \($1)" }
        #expect(try rule.value(of: "red") == .red)
        let error = #expect(throws: InvalidValue.self) { try rule.value(of: "green") }
        #expect(error?.message == "green, not red")
    }

    @Test func aMissingKeyHasNoValue() throws {
        let file = try file("")
        #expect(file.colour == nil && file.count == nil && file.delay == nil && file.words == nil)
    }

    @Test(arguments: [
        ("colour = \"blue\"\n", "a.toml:1: colour: \"blue\" is not a colour: use one of red, green"),
        ("\ncolour = 1\n", "a.toml:2: colour: the value must be a text in quotes"),
        ("count = 0\n", "a.toml:1: count: 0 is out of range: use a whole number of sheep from 1 to 5"),
        ("count = 1.5\n", "a.toml:1: count: the value must be a whole number"),
        ("delay = 11\n", "a.toml:1: delay: 11 is out of range: use a number of seconds from 0.5 to 10"),
        ("delay = nan\n", "a.toml:1: delay: nan is out of range"),
        ("delay = \"1\"\n", "a.toml:1: delay: the value must be a number"),
        ("words = [\"a\", \"1\"]\n", "words[1]: there are no letters"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try file(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            (UserRule.Written.number(0), 0), (.number(4_294_967_294), 4_294_967_294), (.text("root"), 0),
            (.text("4294967294"), 4_294_967_294),
        ] as [(UserRule.Written, UInt32)])
    func aUserHasANameOrANumber(written: UserRule.Written, expected: UInt32) throws {
        #expect(try UserRule().value(of: written) == expected)
    }

    @Test(arguments: [
        UserRule.Written.number(-1), .number(4_294_967_295), .number(.max), .text(""), .text("-1"),
        .text("no such user"),
        .text("4294967295"), .text("root\0"),
    ])
    func noUserIsRefused(written: UserRule.Written) {
        #expect(throws: InvalidValue.self) { try UserRule().value(of: written) }
    }
}
