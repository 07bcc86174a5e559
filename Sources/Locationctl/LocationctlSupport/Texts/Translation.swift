internal import CLinux
internal import Glibc

/// The translation of texts for people into the language of their session, by the C library's gettext(3).
///
/// Everything is English until ``begin(on:in:)``. What a program may read stays English in every session: JSON, logs,
/// errors, and output into a pipe. So only commands that talk to a person begin.
package enum Translation {
    /// The name of the catalogues: `LANGUAGE/LC_MESSAGES/locationctl.mo`.
    private static let domain = "locationctl"

    typealias Values = [(key: String, value: String)]

    /// Begins to translate, if there is a catalogue for the session's language.
    ///
    /// - Parameters:
    ///   - terminal: The terminal that shows the texts, or `nil` for a desktop, which has all characters.
    ///   - folder: The folder of the catalogues.
    package static func begin(on terminal: TerminalCapabilities?, in folder: String = installedFolder) {
        guard let language = Languages.preferred?.first?.prefix(while: { $0 != "-" }) else { return }
        // gettext(3) has no catalogue for English, and would continue with the next language of the list.
        guard language != "en" else { return }
        if let terminal {
            // The console has fonts of 512 characters at most.
            let lacksLetters = terminal.isLinuxConsole && ["ja", "ko", "zh"].contains(language)
            guard terminal.hasUnicode, !lacksLetters else { return }
        }
        _ = messages_open(domain, folder)
    }

    /// The folder of the catalogues that were installed with this program: `/usr/share/locale` for `/usr/bin`.
    package static var installedFolder: String {
        guard let program = realpath("/proc/self/exe", nil) else { return "/usr/share/locale" }
        defer { free(program) }
        return String(cString: program).split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/share/locale"
    }

    /// Returns the catalogue's text for a sentence or, without one, the sentence itself.
    fileprivate static func text(_ sentence: String, plural: String? = nil, count: Int = 1) -> String {
        // The result may be one of the arguments.
        sentence.withCString { sentence in
            guard let plural else { return String(cString: messages_text(domain, sentence, nil, 1)) }
            return plural.withCString { plural in
                String(cString: messages_text(domain, sentence, plural, count.magnitude))
            }
        }
    }

    /// Returns a sentence with the values in its places, or `nil` if its places are not those of the values.
    ///
    /// Attack: an app is called `{user}` or `%s`. So a value is never searched for places, and a sentence has no other
    /// syntax. In a right-to-left sentence each value is isolated, since a path or a Latin name would reorder the words
    /// beside it.
    static func fill(_ sentence: String, _ values: Values) -> String? {
        let isolates = DisplayText.isRightToLeft(sentence)
        var text = ""
        var rest = sentence[...]
        var filled: Set<String> = []
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let place = String(rest[rest.index(after: start)..<end])
            guard let value = values.first(where: { $0.key == place })?.value else { return nil }
            filled.insert(place)
            text += rest[..<start]
            text += isolates ? DisplayText.isolated(value) : value
            rest = rest[rest.index(after: end)...]
        }
        // A language may say "one app" without the number.
        let isComplete = values.allSatisfy { filled.contains($0.key) || $0.key == "count" }
        return isComplete ? text + rest : nil
    }
}

/// Returns a sentence for a person in the session's language, with values in its places, such as `{app}`.
///
/// Tests/Tools/messages.py collects the sentences from the calls, so they are literals. A comment above a call that
/// begins with `Translators:` is for the translators. A translation without one of the places is not used: the prompt
/// would not name its app.
package func translated(_ sentence: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    let values = Array(values)
    return Translation.fill(Translation.text(sentence), values) ?? Translation.fill(sentence, values) ?? sentence
}

/// Returns the form of a sentence for `count`, which is also the value of its place `{count}`.
package func translated(
    _ sentence: String, plural: String, count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let english = count == 1 ? sentence : plural
    let text = Translation.text(sentence, plural: plural, count: count)
    let values = Array(values) + [(key: "count", value: "\(count)")]
    return Translation.fill(text, values) ?? Translation.fill(english, values) ?? english
}
