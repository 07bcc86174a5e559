/// Formatting of text for roff(7).
enum Roff {
    /// Returns a line as literal text. Without escapes, roff would interpret backslashes, and a dot or an apostrophe at
    /// the beginning as a request. It would also turn hyphens into typographic ones.
    static func literal(_ line: String) -> String {
        var escaped = ""
        for character in line {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            default: escaped.append(character)
            }
        }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Returns running text with `.Pp` between paragraphs. Each sentence has its own line, which is how roff finds its
    /// end.
    static func text(_ paragraphs: [[String]]) -> [String] {
        let texts = paragraphs.filter { !$0.isEmpty }.map { $0.map(prose) }
        return Array(texts.joined(separator: [".Pp"]))
    }

    /// Splits `text` at its empty lines, and returns the sentences of each paragraph.
    static func paragraphs(_ text: String) -> [[String]] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .split { $0.allSatisfy(\.isWhitespace) }
            .map { sentences($0.joined(separator: "\n")) }
    }

    /// Returns the sentences of a paragraph, whose lines may break anywhere.
    ///
    /// A sentence ends with a full stop before a space. So an abbreviation must not be followed by a space in an
    /// interface's comments.
    private static func sentences(_ paragraph: String) -> [String] {
        let words = paragraph.split(whereSeparator: \.isWhitespace)
        return words.cut(afterEach: { $0.hasSuffix(".") || $0.hasSuffix(".)") }).map { $0.joined(separator: " ") }
    }

    /// Returns a sentence in the form for a list of titles.
    static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// Returns a sentence as one line of text. Hyphens remain as they are.
    private static func prose(_ sentence: String) -> String {
        let escaped = sentence.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\e")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}

extension Array {
    /// Splits the array after each element for which `isLast` returns `true`.
    fileprivate func cut(afterEach isLast: (Element) -> Bool) -> [[Element]] {
        var parts: [[Element]] = []
        var startsNewPart = true
        for element in self {
            if startsNewPart { parts.append([]) }
            parts[parts.count - 1].append(element)
            startsNewPart = isLast(element)
        }
        return parts
    }
}
