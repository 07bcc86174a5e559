import LocationModel
import Testing

@testable import AuthorizationPolicy

/// Manifests as TOML. SystemTests checks that the daemon's own reader gets the same values out of it.
@Suite struct ManifestTOMLTests {
    @Test func everyKey() throws {
        let manifest = try AppManifest(
            displayName: "Maps", whenInUse: LocalizedText("Shows \"you\"."),
            always: LocalizedText(
                "Records hikes.", languages: ["de_AT": "Zeichnet Wanderungen auf.", "de": "Nimmt auf."]),
            temporaryFullAccuracy: [
                "com.example.rescue": LocalizedText("Rescue.", languages: ["fr": "Secours."]),
                "navigation": LocalizedText("Turns."), "a b": LocalizedText("C:\\"), "default": LocalizedText("d"),
            ],
            defaultAccuracy: .reduced, background: false)
        #expect(
            manifest.toml == """
                display-name = "Maps"
                when-in-use = "Shows \\"you\\"."
                default-accuracy = "reduced"
                background = false

                [always]
                default = "Records hikes."
                de = "Nimmt auf."
                de-at = "Zeichnet Wanderungen auf."

                [temporary-full-accuracy]
                "a b" = "C:\\\\"
                "com.example.rescue".default = "Rescue."
                "com.example.rescue".fr = "Secours."
                default = "d"
                navigation = "Turns."

                """)
    }

    @Test func whatIsAbsentIsNotWritten() throws {
        #expect(try AppManifest().toml.isEmpty)
        #expect(try AppManifest(background: true).toml == "background = true\n")
        #expect(
            try AppManifest(whenInUse: LocalizedText("a", languages: ["de": "b"])).toml
                == "[when-in-use]\ndefault = \"a\"\nde = \"b\"\n")
    }

    /// `default` is the key of the plain text in a table of languages.
    @Test(arguments: ["default", "Default"]) func noLanguageIsCalledDefault(name: String) {
        #expect(throws: LocalizedText.Problem.invalidLanguageTag(name)) {
            try LocalizedText("a", languages: [name: "b"])
        }
    }

    /// TOML v1.0.0, String: the characters that must be escaped in a basic string.
    @Test(arguments: [
        ("", "\"\""), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a\nb\r\t", #""a\u000Ab\u000D\u0009""#),
        ("\u{0}\u{1F}\u{7F}", #""\u0000\u001F\u007F""#), ("é地\u{85}👩‍👩‍👧", "\"é地\u{85}👩‍👩‍👧\""),
        ("\"\u{301}", "\"\\\"\u{301}\""),
    ])
    func texts(text: String, spelling: String) {
        #expect(Array(TOMLSpelling.text(text).unicodeScalars) == Array(spelling.unicodeScalars))
    }

    @Test(arguments: [
        ("navigation", "navigation"), ("A-b_9", "A-b_9"), ("", "\"\""), ("a.b", "\"a.b\""), ("ä", "\"ä\""),
        ("a\u{301}", "\"a\u{301}\""), ("a b", "\"a b\""), ("²", "\"²\""),
    ])
    func keys(key: String, spelling: String) { #expect(TOMLSpelling.key(key) == spelling) }
}
