/// The text that updates the contents of a terminal. Only cells that differ are written: a serial console carries a
/// kilobyte a second.
package struct ScreenUpdate {
    /// The minimum number of equal cells between two changes for moving the cursor over them. Fewer are rewritten,
    /// which takes no more bytes.
    private static let leastGap = 7
    /// The parameter of SGR for reversed cells, which make a blank visible.
    private static let reversed = "7"

    let capabilities: TerminalCapabilities

    package init(capabilities: TerminalCapabilities) { self.capabilities = capabilities }

    /// Returns the text that makes the window show `rows` instead of `previous`; empty if they are equal.
    package func text(_ rows: [TextRow], over previous: [TextRow]?) -> String {
        guard let previous, previous.count == rows.count else {
            return rows.enumerated().map { whole($0.element, line: $0.offset + 1) }.joined() + "\u{1B}[J"
        }
        return rows.indices.filter { rows[$0] != previous[$0] }.map { index in
            change(previous[index], to: rows[index], line: index + 1)
        }.joined()
    }

    private func whole(_ row: TextRow, line: Int) -> String {
        Self.move(to: 0, line: line) + row.drawn(capabilities) + "\u{1B}[K"
    }

    private func change(_ old: TextRow, to new: TextRow, line: Int) -> String {
        guard let before = cells(old), let after = cells(new) else { return whole(new, line: line) }
        var spans: [Range<Int>] = []
        for column in after.indices where after[column] != (column < before.count ? before[column] : Cell()) {
            if let last = spans.last, column - last.upperBound < Self.leastGap {
                spans[spans.count - 1] = last.lowerBound..<column + 1
            } else {
                spans.append(column..<column + 1)
            }
        }
        var text = spans.map { Self.move(to: $0.lowerBound, line: line) + Self.run(after[$0]) }.joined()
        guard before.count > after.count else { return text }
        if spans.last?.upperBound != after.count { text += Self.move(to: after.count, line: line) }
        return text + "\u{1B}[K"
    }

    private static func move(to column: Int, line: Int) -> String { "\u{1B}[\(line);\(column + 1)H" }

    // MARK: Cells

    private struct Cell: Equatable {
        var character: Character = " "
        /// The parameters of SGR.
        var rendition: String?
    }

    /// Returns the cells of a row without blanks at its end, or `nil` if terminals may differ in the width of its
    /// characters: such a row is written as a whole.
    private func cells(_ row: TextRow) -> [Cell]? {
        var cells: [Cell] = []
        for piece in row.pieces {
            let rendition = capabilities.hasColour ? piece.style.rendition : nil
            for character in capabilities.hasUnicode ? piece.text : ASCIIText.of(piece.text) {
                guard Self.isOneColumn(character) else { return nil }
                let isBlank = character == " " && rendition != Self.reversed
                cells.append(Cell(character: character, rendition: isBlank ? nil : rendition))
            }
        }
        while cells.last == Cell() { cells.removeLast() }
        return cells
    }

    private static func run(_ cells: ArraySlice<Cell>) -> String {
        var (text, current) = ("", String?.none)
        for cell in cells {
            // A blank looks the same in all styles except reversed.
            if cell.rendition != current, cell != Cell() || current == reversed {
                if current != nil { text += "\u{1B}[0m" }
                if let rendition = cell.rendition { text += "\u{1B}[\(rendition)m" }
                current = cell.rendition
            }
            text.append(cell.character)
        }
        return current == nil ? text : text + "\u{1B}[0m"
    }

    /// Returns whether a character is Latin, punctuation, an arrow, a line or a block.
    private static func isOneColumn(_ character: Character) -> Bool {
        guard character.unicodeScalars.count == 1 else { return false }
        return switch character.unicodeScalars.first!.value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2190...0x21FF, 0x2212, 0x2500...0x25FF: true
        default: false
        }
    }
}
