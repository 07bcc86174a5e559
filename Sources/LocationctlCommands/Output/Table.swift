/// Text in aligned columns.
struct Table {
    private var rows: [[String]]

    /// Creates a table with a heading above each column.
    init(_ headings: String...) {
        rows = [headings]
    }

    /// Adds a row, without characters that would control the terminal or reorder the neighbouring cells.
    mutating func add(_ cells: String...) {
        rows.append(cells.map(DisplayText.shown))
    }

    /// Returns the table as lines, or `nothing` if it has no rows. A column whose heading is in `optional` is left
    /// out if all of its cells are empty.
    func text(nothing: String, optional: Set<String> = []) -> String {
        guard rows.count > 1 else { return nothing + "\n" }
        let shown = rows[0].indices.filter { column in
            !optional.contains(rows[0][column]) || rows.dropFirst().contains { !$0[column].isEmpty }
        }
        let widths = rows[0].indices.map { column in rows.map { DisplayText.columns($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for column in shown {
                let gap = widths[column] - DisplayText.columns(row[column]) + 2
                line += row[column] + String(repeating: " ", count: gap)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

/// Aligned columns for the lines of a stream, where each line is printed before the next one is known.
enum Columns {
    /// Returns the cells, each after a gap of two columns and right-aligned to its width.
    static func text(_ cells: [(text: String, width: Int)]) -> String {
        cells.map { "  " + String(repeating: " ", count: max(0, $0.width - $0.text.count)) + $0.text }.joined()
    }

    /// Returns the cells of a position: latitude, longitude and accuracy, 12, 13 and 9 columns wide.
    static func place(
        _ latitude: Double, _ longitude: Double, _ accuracy: Double?
    ) -> [(text: String, width: Int)] {
        [
            (Decimal.text(latitude, digits: 6, unit: "°"), 12), (Decimal.text(longitude, digits: 6, unit: "°"), 13),
            (Decimal.accuracy(accuracy), 9),
        ]
    }
}
