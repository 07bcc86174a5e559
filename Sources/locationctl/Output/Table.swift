/// Columns of text, aligned.
struct Table {
    private var rows: [[String]]

    /// A table with a heading over each column.
    init(_ headings: String...) {
        rows = [headings]
    }

    /// Adds a line. Control characters do not reach the terminal.
    mutating func add(_ cells: String...) {
        rows.append(cells.map(Terminal.printable))
    }

    /// The lines, each with its end. What the table is empty of is said in `nothing`.
    func text(nothing: String) -> String {
        guard rows.count > 1 else { return nothing + "\n" }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
