package import LocationModel

/// A row of a screen, made of pieces with an emphasis each.
package struct TextRow: Equatable {
    /// The emphasis of a piece, if there is colour. The text says the same without it.
    package enum Style: Equatable {
        case plain, title, hint, warning, good, problem, selected
        case satellite(Satellite.Constellation?, isUsed: Bool)
    }

    /// A text in one style.
    struct Piece: Equatable {
        var text: String
        var style: Style
    }

    private(set) var pieces: [Piece] = []
    /// The number of terminal columns that the row occupies.
    package private(set) var columns = 0

    package init() {}

    package init(_ text: String, _ style: Style = .plain) { append(text, style) }

    /// Returns `text` as rows of at most `columns` columns, broken at spaces where possible.
    package static func wrapped(_ text: String, _ columns: Int, _ style: Style = .plain) -> [TextRow] {
        DisplayText.wrapped(text, columns: columns).map { TextRow($0, style) }
    }

    /// The text without emphasis.
    var text: String { pieces.map(\.text).joined() }

    /// Appends a text. It must not have control characters; ``DisplayText`` removes them.
    package mutating func append(_ text: String, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        columns += DisplayText.columns(text)
        if pieces.last?.style == style {
            pieces[pieces.count - 1].text += text
        } else {
            pieces.append(Piece(text: text, style: style))
        }
    }

    /// Appends another row, which begins at column `column` unless this row is longer.
    package mutating func append(_ row: TextRow, at column: Int) {
        pad(to: column)
        for piece in row.pieces { append(piece.text, piece.style) }
    }

    /// Appends a text, shortened or padded with spaces to a width in columns.
    package mutating func append(_ text: String, width: Int, _ style: Style = .plain) {
        let end = columns + width
        append(DisplayText.shortened(text, columns: width), style)
        pad(to: end)
    }

    /// Appends a text with spaces before it, so that it ends at the given width.
    package mutating func append(_ text: String, rightAlignedTo width: Int, _ style: Style = .plain) {
        append(String(repeating: " ", count: max(0, width - DisplayText.columns(text))))
        append(text, style)
    }

    /// Appends spaces up to a width in columns.
    package mutating func pad(to columns: Int) { append(String(repeating: " ", count: max(0, columns - self.columns))) }

    /// Returns the row, truncated to a width in columns.
    package func cut(to columns: Int) -> TextRow {
        guard self.columns > columns else { return self }
        var row = TextRow()
        for piece in pieces where row.columns < columns {
            row.append(DisplayText.shortened(piece.text, columns: columns - row.columns), piece.style)
        }
        return row
    }

    /// Returns the row with all pieces in the same style.
    package func styled(_ style: Style) -> TextRow { TextRow(text, style) }

    /// Returns the row as it is written to a terminal with these capabilities, without spaces at its end.
    package func drawn(_ capabilities: TerminalCapabilities) -> String {
        var rest = pieces
        while let last = rest.last, last.style != .selected, last.text.allSatisfy({ $0 == " " }) { rest.removeLast() }
        if let last = rest.indices.last, rest[last].style != .selected {
            while rest[last].text.last == " " { rest[last].text.removeLast() }
        }
        return rest.map { piece in
            let text = capabilities.hasUnicode ? piece.text : ASCIIText.of(piece.text)
            guard capabilities.hasColour, let rendition = piece.style.rendition else { return text }
            return "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
        }.joined()
    }
}

extension TextRow.Style {
    /// The parameters of SGR (ECMA-48, 8.3.117), or `nil` for the terminal's default. The colours are the terminal's
    /// own eight, so that they suit its background.
    var rendition: String? {
        switch self {
        case .plain: nil
        case .title: "1"
        case .hint: "2"
        case .warning: "33"
        case .good: "32"
        case .problem: "31"
        case .selected: "7"
        case .satellite(let constellation, let isUsed):
            (isUsed ? "1;" : "") + "3\(Self.colour(of: constellation))"
        }
    }

    private static func colour(of constellation: Satellite.Constellation?) -> Int {
        switch constellation {
        case .gps: 6
        case .glonass: 1
        case .galileo: 4
        case .beidou: 3
        case .qzss: 5
        case .sbas, .navic: 2
        case nil: 7
        }
    }
}
