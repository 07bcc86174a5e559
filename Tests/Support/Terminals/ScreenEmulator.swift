/// The contents of a terminal after what was written to it: as much of ECMA-48 as the programs use. Each character is one
/// column wide.
package struct ScreenEmulator {
    /// A character with the parameters of SGR that were set when it was written.
    package struct Cell: Equatable {
        package var character: Character = " "
        package var rendition = ""

        package init(character: Character = " ", rendition: String = "") {
            self.character = character
            self.rendition = rendition
        }
    }

    private let columns: Int
    private let rows: Int
    package private(set) var cells: [[Cell]]
    private var column = 0
    private var row = 0
    private var rendition = ""

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    /// The lines without blanks at their ends.
    package var lines: [String] {
        cells.map { line in
            var text = String(line.map(\.character))
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    package mutating func write(_ text: String) {
        var rest = text.unicodeScalars.makeIterator()
        while let scalar = rest.next() {
            switch scalar {
            case "\u{1B}":
                guard rest.next() == "[" else { continue }
                var parameters = ""
                while let next = rest.next() {
                    guard (0x40...0x7E).contains(next.value) else {
                        parameters.unicodeScalars.append(next)
                        continue
                    }
                    control(parameters, Character(next))
                    break
                }
            case "\r": column = 0
            case "\n": row = min(rows - 1, row + 1)
            default:
                if row < rows, column < columns {
                    cells[row][column] = Cell(character: Character(scalar), rendition: rendition)
                }
                column += 1
            }
        }
    }

    private mutating func control(_ parameters: String, _ last: Character) {
        switch last {
        case "H":
            let numbers = parameters.split(separator: ";").map { Int($0) ?? 1 }
            row = max(0, (numbers.first ?? 1) - 1)
            column = max(0, (numbers.count > 1 ? numbers[1] : 1) - 1)
        case "K" where row < rows:
            for index in min(column, columns)..<columns { cells[row][index] = Cell() }
        case "J":
            for index in min(row + 1, rows)..<rows { cells[index] = Array(repeating: Cell(), count: columns) }
            if row < rows { for index in min(column, columns)..<columns { cells[row][index] = Cell() } }
        case "m": rendition = parameters == "0" ? "" : parameters
        case "h" where parameters == "?1049": self = ScreenEmulator(columns: columns, rows: rows)
        default: break
        }
    }
}
