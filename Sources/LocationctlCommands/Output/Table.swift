/// Columns of text, aligned.
struct Table {
    private var rows: [[String]]

    /// A table with a heading over each column.
    init(_ headings: String...) {
        rows = [headings]
    }

    /// Adds a line. What would steer the terminal or reorder its neighbours does not reach it.
    mutating func add(_ cells: String...) {
        rows.append(cells.map(DisplayText.shown))
    }

    /// The lines, each with its end. What the table is empty of is said in `nothing`. A column of `optional`, by its
    /// heading, is left out where no line has anything in it.
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
