/// A text that an app's manifest gives in one or more languages.
public struct LocalizedText: Sendable, Hashable {
    /// What is shown where no other language fits.
    public let plain: String
    /// The other languages, by their tags (`de`, `de-at`), in lower case with hyphens.
    public let languages: [String: String]

    /// The key of the plain text among the languages, and so the name of none.
    static let plainKey = "default"

    /// Why there is no such text.
    public enum Problem: Error, Sendable, Hashable {
        /// The text of that language, the plain one where it is `nil`, may not be shown.
        case text(ShownText.Problem, language: String?)
        /// That is no language tag: letters and digits in groups of at most 8 with hyphens between them (RFC 5646).
        case notALanguage(String)
        /// The same language twice, once with a hyphen and once with an underscore.
        case twice(String)
    }

    /// A text in some languages; each may have 500 Unicode scalars. Throws what is wrong with it.
    ///
    /// - Parameter languages: by tags such as `de`, `de-AT` or `de_AT`.
    public init(_ plain: String, languages: [String: String] = [:]) throws(Problem) {
        try Self.check(plain, language: nil)
        var tagged: [String: String] = [:]
        for (name, text) in languages.sorted(by: { $0.key < $1.key }) {
            let tag = Self.tag(name)
            guard Self.isTag(tag) else { throw .notALanguage(name) }
            try Self.check(text, language: name)
            guard tagged.updateValue(text, forKey: tag) == nil else { throw .twice(name) }
        }
        self.plain = plain
        self.languages = tagged
    }

    /// A text that may be shown for certain, in one language.
    init(cleaned: String) {
        plain = cleaned
        languages = [:]
    }

    /// The text for a user who reads these languages, the best first.
    ///
    /// Each is a POSIX locale as in LANG or LANGUAGE (`de_AT.UTF-8@euro`) or a tag (`de-AT`). A language that is
    /// missing is looked for with less and less of its tag (de-AT, de) before the next; `C` and `POSIX` are the plain
    /// text.
    public func text(for preferredLanguages: [String]) -> String {
        // Attack: a caller's tags of 60 kB cost seconds to compare: ``BytewiseString``. RFC 5646 has 35 bytes as the longest.
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
            try ShownText.check(text, limit: ShownText.longestDescription)
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
    /// The reason, as a sentence without its full stop.
    public var description: String {
        switch self {
        case .text(let problem, nil): "\(problem)"
        case .text(let problem, let language?): "\(problem) (language \(language))"
        case .notALanguage: "a language tag such as \"de\" or \"de-AT\" is allowed here"
        case .twice(let name): "the language \(name) is there twice"
        }
    }
}
