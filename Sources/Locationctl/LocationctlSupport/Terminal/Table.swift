/// Text in aligned columns.
///
/// A pipe gets all columns, each as wide as its widest cell. In a window, no line is wider than the window: cells are
/// shortened in their middle, then columns are left out, and texts are below their rows.
package struct Table {
    /// A column of a table.
    package struct Column: ExpressibleByStringLiteral {
        /// The heading.
        let heading: String
        /// The column's rank for being left out of a narrow window, from 1 on; `nil` if it stays.
        var sacrifice: Int?
        /// The minimum width of shortened cells in a window, or `nil` if cells are not shortened.
        var leastWidth: Int?
        /// A Boolean value indicating whether the column is left out if all of its cells are empty.
        var isOptional = false
        /// The usual cell: in a window, the column is left out if all cells are like this.
        var usual: String?
        /// A Boolean value indicating whether the cells are on lines of their own in a window, below the row.
        var isBelow = false

        package init(
            _ heading: String, sacrifice: Int? = nil, leastWidth: Int? = nil, isOptional: Bool = false,
            usual: String? = nil, isBelow: Bool = false
        ) {
            self.heading = heading
            self.sacrifice = sacrifice
            self.leastWidth = leastWidth
            self.isOptional = isOptional
            self.usual = usual
            self.isBelow = isBelow
        }

        package init(stringLiteral heading: String) { self.init(heading) }
    }

    /// The cells of a row, in the order of the columns.
    private struct Row {
        var mark: Mark?
        var cells: [String]
        var styles: [String: TextRow.Style]
    }

    /// The gap between two cells, in columns.
    private static let gap = 2
    /// The indentation of the lines below a row, in columns.
    private static let indentation = 4
    /// The minimum width of a shortened cell in any window.
    private static let leastCell = 3

    private let columns: [Column]
    private var rows: [Row] = []

    package init(_ columns: Column...) { self.columns = columns }

    /// Adds a row. Characters that would control the terminal or reorder the neighbouring cells are removed.
    ///
    /// - Parameters:
    ///   - mark: The mark before the row in a window.
    ///   - styles: The emphasis of cells, by the headings of their columns.
    package mutating func add(_ cells: String..., mark: Mark? = nil, styles: [String: TextRow.Style] = [:]) {
        rows.append(Row(mark: mark, cells: cells.map(DisplayText.shown), styles: styles))
    }

    /// Returns the table as lines, or `nothing` if it has no rows.
    package func text(on medium: OutputMedium = .pipe, nothing: String) -> String {
        guard !rows.isEmpty else { return medium.lines(nothing) }
        guard let width = medium.columns else {
            let shown = columns.indices.filter { !columns[$0].isOptional || hasText($0) }
            return lines(Plan(cells: shown.map { ($0, naturalWidth($0)) }), medium)
        }
        return lines(plan(width), medium)
    }

    // MARK: Columns

    /// The columns that are shown.
    private struct Plan {
        /// The indices of the columns and their widths.
        var cells: [(index: Int, width: Int)]
        /// The indices of the columns whose cells are below their rows.
        var below: [Int] = []
        /// The indices of the columns that do not fit a narrow window.
        var missing: [Int] = []
        var hasMarks = false
        /// The width of the window.
        var width: Int?
    }

    private func hasText(_ column: Int) -> Bool { rows.contains { !$0.cells[column].isEmpty } }

    private func naturalWidth(_ column: Int) -> Int {
        rows.reduce(DisplayText.columns(columns[column].heading)) { max($0, DisplayText.columns($1.cells[column])) }
    }

    /// Returns whether a column has information for a user at a window.
    private func isInformative(_ column: Int) -> Bool {
        if let usual = columns[column].usual, rows.allSatisfy({ $0.cells[column] == usual }) { return false }
        return !columns[column].isOptional || hasText(column)
    }

    /// Returns the columns for a window.
    private func plan(_ width: Int) -> Plan {
        let informative = columns.indices.filter(isInformative)
        let hasMarks = rows.contains { $0.mark != nil }
        let room = width - (hasMarks ? Self.gap : 0)
        var shown = informative.filter { !columns[$0].isBelow }
        var missing: [Int] = []
        let widths = columns.indices.map(naturalWidth)
        func total(_ width: (Int) -> Int) -> Int {
            shown.reduce(0) { $0 + width($1) } + Self.gap * max(0, shown.count - 1)
        }
        func least(_ column: Int) -> Int { min(widths[column], columns[column].leastWidth ?? widths[column]) }
        while total(least) > room, let victim = shown.filter({ columns[$0].sacrifice != nil }).min(by: isBefore) {
            shown.removeAll { $0 == victim }
            missing.append(victim)
        }
        // The widest column is shortened first. If that is not enough, cells become shorter than their minimum.
        var cells = shown.map { (index: $0, width: widths[$0]) }
        var excess = total { widths[$0] } - room
        while excess > 0 {
            func slack(_ cell: (index: Int, width: Int)) -> Int { cell.width - least(cell.index) }
            let hasSlack = cells.contains { slack($0) > 0 }
            let candidates = cells.indices.filter { hasSlack ? slack(cells[$0]) > 0 : cells[$0].width > Self.leastCell }
            guard let widest = candidates.max(by: { cells[$0].width < cells[$1].width }) else { break }
            cells[widest].width -= 1
            excess -= 1
        }
        return Plan(
            cells: cells, below: informative.filter { columns[$0].isBelow }, missing: missing.sorted(),
            hasMarks: hasMarks, width: width)
    }

    private func isBefore(_ column: Int, _ other: Int) -> Bool {
        (columns[column].sacrifice ?? .max) < (columns[other].sacrifice ?? .max)
    }

    // MARK: Lines

    private func lines(_ plan: Plan, _ medium: OutputMedium) -> String {
        var heading = TextRow()
        if plan.hasMarks { heading.pad(to: Self.gap) }
        for (index, width) in plan.cells { append(columns[index].heading, width, .title, to: &heading) }
        var text = line(heading, plan, medium)
        for row in rows {
            text += line(first(of: row, plan, medium), plan, medium)
            for column in plan.below where !row.cells[column].isEmpty {
                text += below(row.cells[column], row.styles[columns[column].heading] ?? .hint, medium)
            }
        }
        guard !plan.missing.isEmpty else { return text }
        let names = plan.missing.map { columns[$0].heading }.joined(separator: ", ")
        return text + medium.lines("-l also shows: \(names)", .hint)
    }

    private func first(of row: Row, _ plan: Plan, _ medium: OutputMedium) -> TextRow {
        var line = TextRow()
        if plan.hasMarks {
            if let mark = row.mark { line.append(mark.text(medium.capabilities), mark.style) }
            line.pad(to: Self.gap)
        }
        for (index, width) in plan.cells {
            append(row.cells[index], width, row.styles[columns[index].heading] ?? .plain, to: &line)
        }
        return line
    }

    private func append(_ text: String, _ width: Int, _ style: TextRow.Style, to line: inout TextRow) {
        let end = line.columns + width
        line.append(DisplayText.shortened(text, columns: width), style)
        line.pad(to: end + Self.gap)
    }

    /// Returns a line, truncated if the window is too narrow for any table.
    private func line(_ row: TextRow, _ plan: Plan, _ medium: OutputMedium) -> String {
        guard let width = plan.width else { return medium.line(row) }
        let hasRoom = row.columns - Self.gap <= width
        return medium.line(hasRoom ? row : row.cut(to: width))
    }

    private func below(_ text: String, _ style: TextRow.Style, _ medium: OutputMedium) -> String {
        guard let width = medium.columns else { return "" }
        return DisplayText.wrapped(text, columns: width - Self.indentation).map { part in
            var row = TextRow(String(repeating: " ", count: Self.indentation))
            row.append(part, style)
            return medium.line(row)
        }.joined()
    }
}

/// Aligned columns for the lines of a stream, where each line is printed before the next one is known.
enum Columns {
    /// Returns the cells, each after a gap of two columns and right-aligned to its width.
    package static func text(_ cells: [(text: String, width: Int)]) -> String {
        cells.map { "  " + String(repeating: " ", count: max(0, $0.width - $0.text.count)) + $0.text }.joined()
    }

    /// Returns a text padded with blanks to a width.
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Returns the cells of a position: latitude, longitude and accuracy, 12, 13 and 9 columns wide.
    static func place(
        _ latitude: Double, _ longitude: Double, _ accuracy: Double?
    ) -> [(text: String, width: Int)] {
        [
            (Decimal.degrees(latitude, accuracy: accuracy), 12), (Decimal.degrees(longitude, accuracy: accuracy), 13),
            (Decimal.accuracy(accuracy), 9),
        ]
    }
}
