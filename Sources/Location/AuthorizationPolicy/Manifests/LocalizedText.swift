/// A text from an app's manifest, in one or more languages.
public struct LocalizedText: Sendable, Hashable {
    /// The text that is shown if no other language fits.
    public let plain: String
    /// The texts in other languages, by language tag (`de`, `de-at`), in lower case with hyphens.
    public let languages: [String: String]

    /// The key of the plain text among the languages. So it cannot be the name of a language.
    static let plainKey = "default"

    /// A reason why a text is invalid.
    public enum Problem: Error, Sendable, Hashable {
        /// The text of this language, or the plain text if `language` is `nil`, must not be shown.
        case text(ShownText.Problem, language: String?)
        /// The key is not a language tag: groups of at most 8 letters and digits with hyphens between them (RFC 5646).
        case invalidLanguageTag(String)
        /// The same language occurs twice, once with a hyphen and once with an underscore, for example.
        case twice(String)
    }

    /// Creates a text in one or more languages, each at most 500 Unicode scalars long.
    ///
    /// - Parameter languages: The texts by tags such as `de`, `de-AT` or `de_AT`.
    /// - Throws: The first problem with a text or a tag.
    public init(_ plain: String, languages: [String: String] = [:]) throws(Problem) {
        try Self.check(plain, language: nil)
        var tagged: [String: String] = [:]
        for (name, text) in languages.sorted(by: { $0.key < $1.key }) {
            let tag = Self.tag(name)
            guard Self.isTag(tag) else { throw .invalidLanguageTag(name) }
            try Self.check(text, language: name)
            guard tagged.updateValue(text, forKey: tag) == nil else { throw .twice(name) }
        }
        self.plain = plain
        self.languages = tagged
    }

    /// Creates a text in one language. The caller ensures that it may be shown.
    init(cleaned: String) {
        plain = cleaned
        languages = [:]
    }

    /// Returns the text for a user who reads these languages, with the preferred ones first. Only the first 16 count.
    ///
    /// A language is a POSIX locale as in LANG or LANGUAGE (`de_AT.UTF-8@euro`) or a tag (`de-AT`). If the text lacks a
    /// language, shorter and shorter forms of its tag (de-AT, de) are tried before the next language. `C` and `POSIX`
    /// stand for the plain text.
    public func text(for preferredLanguages: [String]) -> String {
        // Attack: a caller's tags of 60 kB take seconds to compare: see ``BytewiseString``. The longest tag in RFC 5646
        // has 35 bytes.
        for preferred in preferredLanguages.prefix(16) where preferred.utf8.count <= 64 {
            var tag = Self.tag(String(preferred.prefix { $0 != "." && $0 != "@" }))
            if tag == "c" || tag == "posix" { return plain }
            while !tag.isEmpty {
                if let text = languages[tag] { return text }
                tag = tag.lastIndex(of: "-").map { String(tag[..<$0]) } ?? ""
            }
        }
        return plain
    }

    private static func check(_ text: String, language: String?) throws(Problem) {
        do throws(ShownText.Problem) {
            try ShownText.check(text, limit: ShownText.maximumDescriptionLength)
        } catch {
            throw .text(error, language: language)
        }
    }

    private static func tag(_ name: String) -> String {
        String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    private static func isTag(_ tag: String) -> Bool {
        tag != plainKey
            && tag.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }
}

extension LocalizedText.Problem: CustomStringConvertible {
    /// The reason, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .text(let problem, nil): "\(problem)"
        case .text(let problem, let language?): "\(problem) (language \(language))"
        case .invalidLanguageTag: "use a language tag such as \"de\" or \"de-AT\""
        case .twice(let name): "the language \(name) occurs twice"
        }
    }
}
