/// Text from apps, made safe for a line of a terminal.
///
/// Attack: an app chooses a name with escape sequences, with characters that reorder the text around it, or with
/// nothing but combining marks that pile up on its neighbours, to make its prompt read like another one.
package enum DisplayText {
    private static let firstStrongIsolate: Character = "\u{2068}"
    private static let popDirectionalIsolate: Character = "\u{2069}"
    /// The maximum number of combining marks on one letter; the languages with the most need three.
    private static let maximumMarks = 4

    /// Returns `text` on one line, without control characters. Right-to-left text is isolated, so that it does not
    /// reorder the text beside it.
    package static func shown(_ text: String) -> String {
        let text = Terminal.printable(String(text.map { $0.isWhitespace ? " " : $0 }))
        var scalars = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks <= maximumMarks { scalars.append(scalar) }
        }
        let line = String(scalars)
        return isRightToLeft(line) ? isolated(line) : line
    }

    /// Returns `text` isolated from the direction of the text around it (Unicode Standard Annex 9, X5c), unless a part
    /// is isolated already.
    static func isolated(_ text: String) -> String {
        text.contains(firstStrongIsolate) ? text : "\(firstStrongIsolate)\(text)\(popDirectionalIsolate)"
    }

    /// Returns a right-to-left text without control characters other than isolates, which are closed.
    package static func printable(_ text: String) -> String {
        let characters = text.map { character in
            character == firstStrongIsolate || character == popDirectionalIsolate
                ? String(character) : Terminal.printable(String(character))
        }
        return balanced([characters.joined()])[0]
    }

    /// Returns `text` without isolates, which ``Terminal/printable(_:)`` would replace.
    package static func withoutIsolates(_ text: String) -> String {
        text.filter { $0 != firstStrongIsolate && $0 != popDirectionalIsolate }
    }

    /// Returns whether a text has right-to-left letters.
    package static func isRightToLeft(_ text: String) -> Bool { text.unicodeScalars.contains(where: isRightToLeft) }

    /// Returns the same between quotation marks. The quoted text cannot close them.
    package static func quoted(_ text: String) -> String { "\"\(shown(withoutQuotes(text)))\"" }

    /// Returns `text` with apostrophes in place of everything that looks like a quotation mark. Attack: a text closes
    /// its quotation and continues in words that seem to be locationctl's.
    package static func withoutQuotes(_ text: String) -> String {
        let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{FF02}"]
        // Scalars, not characters: a quotation mark with a combining mark is a different character and still looks like
        // one.
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(quotes.contains(scalar) ? "'" : scalar) }
        return String(scalars)
    }

    /// Returns the number of terminal columns that `text` occupies.
    package static func columns(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Returns `text` as lines of at most `columns` columns, broken at spaces where possible, and between the characters
    /// of Chinese and Japanese, which have no spaces.
    package static func wrapped(_ text: String, columns: Int) -> [String] {
        let columns = max(2, columns)
        var lines: [String] = []
        var line = ""
        var width = 0
        func end() {
            lines.append(line)
            (line, width) = ("", 0)
        }
        let parts = text.split(separator: " ").flatMap { word in
            LineBreaks.parts(of: word).enumerated().map { (text: $1, gap: $0 == 0 ? 1 : 0) }
        }
        for part in parts {
            if width > 0, width + part.gap + self.columns(part.text) <= columns {
                line += String(repeating: " ", count: part.gap)
                width += part.gap
            } else if width > 0 {
                end()
            }
            for character in part.text {
                let characterWidth = self.columns(String(character))
                if width + characterWidth > columns, width > 0 { end() }
                line.append(character)
                width += characterWidth
            }
        }
        end()
        return balanced(lines)
    }

    /// Returns `text`, with `…` in its middle if it is wider than `columns`: a path's beginning and end say most.
    package static func shortened(_ text: String, columns: Int) -> String {
        guard self.columns(text) > columns else { return text }
        var head = ""
        var tail = ""
        var rest = max(0, columns - 1)
        var characters = text[...]
        while let first = characters.first, self.columns(String(first)) <= rest {
            head.append(first)
            rest -= self.columns(String(first))
            characters.removeFirst()
            guard let last = characters.last, self.columns(String(last)) <= rest else { break }
            tail = String(last) + tail
            rest -= self.columns(String(last))
            characters.removeLast()
        }
        return balanced([head + "…" + tail])[0]
    }

    /// Closes an isolate that a line leaves open, and opens it again on the next line.
    private static func balanced(_ lines: [String]) -> [String] {
        var isOpen = false
        return lines.map { line in
            var text = isOpen ? String(firstStrongIsolate) : ""
            for character in line {
                if character == popDirectionalIsolate, !isOpen { continue }
                if character == firstStrongIsolate || character == popDirectionalIsolate {
                    isOpen = character == firstStrongIsolate
                }
                text.append(character)
            }
            return isOpen ? text + String(popDirectionalIsolate) : text
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Returns whether the scalar is in a block of a right-to-left script (Unicode's Bidi_Class R and AL).
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// Returns 2 if Unicode's EastAsianWidth calls the scalar wide (by whole blocks), 0 if it occupies no column,
    /// otherwise 1.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if isMark(scalar) || scalar.properties.generalCategory == .format { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without blanks at its ends.
    package var trimmed: Substring {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
