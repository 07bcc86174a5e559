import TestSupport
import Testing

/// Two habits that make English read like a translation stay rare in comments, messages and documents.
///
/// A limit is lowered when a pass over the texts has lowered the number.
@Suite struct EnglishTests {
    /// The maximum number of clauses such as "the folder in which sockets are made", for "the folder for sockets".
    private static let maximumClauses = 11
    /// The maximum number of nouns such as "what is missing", for "the missing parts".
    private static let maximumNouns = 12

    /// The words of a file in lower case, without line breaks, comment marks and punctuation.
    private struct Text {
        var path: String
        var words: [String]

        init(_ path: String) throws {
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            self.path = path
            words = try Project.text(path).lowercased().utf8.split { !letters.contains($0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns the path once for each of `words` that follows one of `others`.
        func paths(of words: Set<String>, after others: Set<String>) -> [String] {
            let pairs = zip(self.words, self.words.dropFirst())
            return pairs.filter { words.contains($1) && others.contains($0) }.map { _ in path }
        }
    }

    private static let texts = Result {
        let sources = try Project.files(below: "Sources").filter { file in
            ["swift", "varlink", "md", "c", "h"].contains { file.hasSuffix("." + $0) }
        }
        let documents = try Project.files(below: "docs").filter { $0.hasSuffix(".md") }
        return try (sources + documents + Project.files(below: "man")).map { try Text($0) }
    }

    private let texts: [Text]

    init() throws { texts = try Self.texts.get() }

    @Test func clausesWithAPrepositionAreRare() {
        expect(
            texts.flatMap { $0.paths(of: ["which", "whose"], after: ["in", "at", "by", "of"]) }, Self.maximumClauses)
    }

    @Test func whatIsRarelyANoun() throws {
        let nouns = texts.flatMap { $0.paths(of: ["what"], after: ["returns", "of", "with", "by", "from", "about"]) }
        let summaries = try texts.filter { $0.path.hasSuffix(".swift") }.flatMap { text in
            try Project.text(text.path).utf8.split(separator: UInt8(ascii: "\n"))
                .filter { $0.drop { $0 == UInt8(ascii: " ") }.starts(with: "/// What ".utf8) }.map { _ in text.path }
        }
        expect(nouns + summaries, Self.maximumNouns)
    }

    /// Expects at most `limit` places, and otherwise names the files with the most of them.
    private func expect(_ places: [String], _ limit: Int, _ location: SourceLocation = #_sourceLocation) {
        let counts = Dictionary(grouping: places, by: \.self).mapValues(\.count).sorted { $0.value > $1.value }
        let most = counts.prefix(10).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        #expect(places.count <= limit, "most are in \(most)", sourceLocation: location)
    }
}
