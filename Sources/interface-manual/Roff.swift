/// Text as roff(7) reads it.
enum Roff {
    /// A line of literal text: a backslash, and a dot or an apostrophe at its beginning, would be taken for requests,
    /// and a hyphen for a typographic one.
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

    /// Running text: a line for each sentence, which is how roff finds their ends, and `.Pp` between paragraphs.
    static func text(_ paragraphs: [[String]]) -> [String] {
        let texts = paragraphs.filter { !$0.isEmpty }.map { $0.map(prose) }
        return Array(texts.joined(separator: [".Pp"]))
    }

    /// The sentences of each paragraph; an empty line is between two.
    static func paragraphs(_ text: String) -> [[String]] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .split { $0.allSatisfy(\.isWhitespace) }
            .map { sentences($0.joined(separator: "\n")) }
    }

    /// The sentences of a paragraph, whose lines may end anywhere.
    ///
    /// A sentence ends with a full stop before a space; that of an abbreviation does not stand there in an interface's
    /// comments.
    private static func sentences(_ paragraph: String) -> [String] {
        let words = paragraph.split(whereSeparator: \.isWhitespace)
        return words.cut(afterEach: { $0.hasSuffix(".") || $0.hasSuffix(".)") }).map { $0.joined(separator: " ") }
    }

    /// A sentence as it stands in a list of titles.
    static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// A sentence as a line of text. Hyphens stay as they are.
    private static func prose(_ sentence: String) -> String {
        let escaped = sentence.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\e")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}

extension Array {
    /// Cut after each element that `isLast` says so of.
    fileprivate func cut(afterEach isLast: (Element) -> Bool) -> [[Element]] {
        var parts: [[Element]] = []
        var startsAnew = true
        for element in self {
            if startsAnew { parts.append([]) }
            parts[parts.count - 1].append(element)
            startsAnew = isLast(element)
        }
        return parts
    }
}
