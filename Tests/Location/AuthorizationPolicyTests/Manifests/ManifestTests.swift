import AuthorizationPolicy
import Foundation
import LocationModel
import Testing

/// Manifests in JSON, with the same tables, texts and keys as in TOML.
@Suite struct ManifestTests {
    private func read(_ json: String) throws -> AppManifest {
        try JSONDecoder().decode(AppManifest.self, from: Data(json.utf8))
    }

    /// Returns the reason why a manifest is refused, after the path of the offending value.
    private func problem(_ json: String) throws -> String {
        do {
            _ = try read(json)
        } catch DecodingError.dataCorrupted(let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "\(path): \(context.debugDescription)"
        }
        return "none"
    }

    @Test func everyKey() throws {
        let manifest = try read(
            """
            {"display-name": "Maps", "when-in-use": "Shows where you are.",
             "always": {"default": "Records hikes.", "de": "Zeichnet auf.", "de_AT": "Zeichnet Wanderungen auf."},
             "temporary-full-accuracy": {"navigation": "Tells you where to turn.",
                                         "com.example.rescue": {"default": "Rescue.", "fr": "Secours."}},
             "default-accuracy": "reduced", "background": true}
            """)
        #expect(manifest.displayName == "Maps")
        #expect(manifest.whenInUse?.plain == "Shows where you are.")
        #expect(manifest.always?.plain == "Records hikes.")
        #expect(manifest.always?.languages == ["de": "Zeichnet auf.", "de-at": "Zeichnet Wanderungen auf."])
        #expect(manifest.temporaryFullAccuracy["navigation"]?.plain == "Tells you where to turn.")
        #expect(manifest.temporaryFullAccuracy["com.example.rescue"]?.text(for: ["fr_FR.UTF-8"]) == "Secours.")
        #expect(manifest.defaultAccuracy == .reduced)
        #expect(manifest.background == true)
    }

    @Test func everyKeyMayBeAbsent() throws {
        let manifest = try read("{}")
        #expect(try manifest == AppManifest())
        #expect(manifest.defaultAccuracy == .full)
        #expect(manifest.background == nil)
    }

    @Test(arguments: [
        (#"{"when-in-use": "a\u001b[2Jb"}"#, "when-in-use: the text contains U+001B"),
        (#"{"when-in-use": "a\nb"}"#, "when-in-use: the text contains U+000A"),
        (#"{"always": "a\u202eb"}"#, "always: the text contains U+202E"),
        (#"{"always": {"default": "a", "de": "\u2067b"}}"#, "always: the text contains U+2067"),
        (#"{"temporary-full-accuracy": {"k": "\u2028"}}"#, "temporary-full-accuracy.k: the text contains U+2028"),
        (#"{"temporary-full-accuracy": {"": "a"}}"#, "temporary-full-accuracy.: the key of a purpose has 1 to 100"),
        (#"{"display-name": "a\u2069"}"#, "display-name: the text contains U+2069"),
        (#"{"display-name": " "}"#, "display-name: the text is empty"),
        (#"{"when-in-use": ""}"#, "when-in-use: the text is empty"),
        (#"{"always": {"de": "a"}}"#, "always: the key default is missing"),
        (#"{"always": {"default": "a", "d e": "b"}}"#, "always: use a language tag such as"),
        (#"{"always": {"default": "a", "de-AT": "b", "de_at": "c"}}"#, "always: the language de_at occurs twice"),
        (#"{"default-accuracy": "fuzzy"}"#, #"default-accuracy: must be "full" or "reduced""#),
        (#"{"when-in-usage": "a"}"#, "when-in-usage: unknown key; allowed are display-name, when-in-use, always, "),
    ])
    func aManifestThatIsRefusedSaysWhereAndWhy(json: String, reason: String) throws {
        let problem = try problem(json)
        #expect(problem.hasPrefix(reason), "\(problem)")
    }

    @Test(arguments: [#"{"when-in-use": 1}"#, #"{"background": "yes"}"#, #"{"always": ["a"]}"#])
    func aValueOfAnotherTypeIsRefused(json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test func textsAreBoundedInUnicodeScalars() throws {
        // One character to Swift, but many Unicode scalars, which pile up on the screen.
        let tower = "a" + String(repeating: "\u{0300}", count: 500)
        #expect(tower.count == 1)
        for (text, isAllowed) in [
            (String(repeating: "ä", count: 500), true), (String(repeating: "ä", count: 501), false), (tower, false),
        ] {
            #expect(((try? LocalizedText(text)) != nil) == isAllowed)
        }
        #expect(throws: AppManifest.Problem.displayName(.tooLong(limit: 100))) {
            try AppManifest(displayName: String(repeating: "n", count: 101))
        }
    }

    @Test func everyForbiddenScalarIsRefusedAndCleanedAway() throws {
        let forbidden = [0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069].flatMap { Array($0) }
        for value in forbidden.map(UInt32.init) {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(throws: ShownText.Problem.forbidden(scalar)) {
                try ShownText.check("a\(scalar)b", limit: 10)
            }
            #expect(ShownText.cleaned("a\(scalar)b", limit: 10) == "a b")
        }
        for allowed in ["a\u{200E}b", "שלום", "नमस्ते", "👩‍👩‍👧", "a\u{00A0}b"] {
            #expect(throws: Never.self) { try ShownText.check(allowed, limit: 100) }
        }
    }

    @Test func whatIsCleanedMayBeShown() {
        #expect(ShownText.cleaned("  to\r\n\t show  \u{202e}the way\n", limit: 500) == "to show the way")
        #expect(ShownText.cleaned(String(repeating: "x", count: 501), limit: 500)?.count == 500)
        #expect(ShownText.cleaned("\n\u{2066}\u{2069} ", limit: 500) == nil)
    }

    @Test(arguments: [
        (["de_AT.UTF-8"], "Österreich"), (["de-AT"], "Österreich"), (["de_DE@euro"], "Deutsch"), (["de"], "Deutsch"),
        (["DE_ch.ISO-8859-1"], "Deutsch"), (["fr_FR", "de_DE"], "Deutsch"), (["fr_FR.UTF-8"], "plain"), ([], "plain"),
        (["C"], "plain"), (["C.UTF-8", "de"], "plain"), (["POSIX", "de"], "plain"), ([""], "plain"),
        (["", "de"], "Deutsch"), (["zh_Hant_TW"], "繁體"), (["zh_Hans_CN"], "中文"), (["d"], "plain"), (["-"], "plain"),
    ])
    func theBestLanguage(preferred: [String], expected: String) throws {
        let text = try LocalizedText(
            "plain", languages: ["de": "Deutsch", "de_AT": "Österreich", "zh": "中文", "zh-Hant": "繁體"])
        #expect(text.text(for: preferred) == expected)
    }
}
