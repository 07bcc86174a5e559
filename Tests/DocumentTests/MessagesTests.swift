import Foundation
import TestSupport
import Testing

/// The translations in data/po, and the check of `make lint` that holds them against the sources.
@Suite(.timeLimit(.minutes(15))) struct MessagesTests {
    private func check(_ folder: String) async throws -> Program.Result {
        try await Program.run(
            "/usr/bin/env", ["python3", "-B", Project.folder + "/Tests/Tools/messages.py", "--po", folder])
    }

    @Test func noTextOfAPromptLacksItsTranslation() async throws {
        let result = try await check(Project.folder + "/data/po")
        #expect(result.status == 0, "\(result.output)")
    }

    /// Each row is a change of the German translation, and the fault that is found.
    @Test(
        arguments: [
            ("{app} möchte Ihren Standort verwenden\"", "Eine App möchte Ihren Standort\"", "has other places"),
            ("{app} möchte Ihren Standort verwenden\"", "{app} möchte {user}\"", "has other places"),
            ("{app} möchte Ihren Standort verwenden\"", "{app} möchte { Standort\"", "has a brace too many"),
            ("Fertig. `sudo locationctl dashboard`", "Fertig. `locationctl dashboard`", "has other places"),
            ("msgstr \"Verweigern\"", "msgstr \"\"", "is not translated"),
            ("msgid \"Deny\"", "msgid \"Denied\"", "is not in the sources"),
            ("msgid \"Deny\"", "#, fuzzy\nmsgid \"Deny\"", "is fuzzy"),
            ("msgstr \"Verweigern\"", "msgstr \"\u{202E}Verweigern\"", "has an invisible character"),
            ("msgstr[1] \"{count} Apps verwenden den Standort:\"", "", "has 1 forms, not 2"),
            ("Language: de", "Language: fr", "names another language"),
        ])
    func aFaultIsFound(text: String, replacement: String, fault: String) async throws {
        let folder = try TemporaryFolder()
        let copy = folder.path + "/po"
        try FileManager.default.copyItem(atPath: Project.folder + "/data/po", toPath: copy)
        let german = try Project.text("data/po/de.po")
        #expect(german.contains(text))
        try folder.write(german.replacing(text, with: replacement, maxReplacements: 1), to: "po/de.po")
        let result = try await check(copy)
        #expect(result.status == 1 && result.output.contains(fault), "\(result.output)")
    }
}
