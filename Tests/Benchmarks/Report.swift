/// The table of results, with each figure beside gpsd's and its budget.
struct Report {
    /// The limit for a figure.
    enum Budget {
        /// At most this many times gpsd's figure.
        case ratio(Double)
        /// At most this much, in the figure's own unit.
        case absolute(Double)
        /// At least this much, in the figure's own unit.
        case atLeast(Double)
    }

    private var rows: [[String]] = []
    private var notes: [String] = []
    /// A Boolean value indicating whether a figure has missed its budget.
    private(set) var hasMisses = false

    /// Adds a row. Figures that were not measured are left blank.
    mutating func add(
        _ figure: String, unit: String, relay: Double? = nil, gpsd: Double? = nil, locationd: Double,
        budget: Budget? = nil
    ) {
        let ratio = gpsd.flatMap { $0 > 0 ? locationd / $0 : nil }
        var allowed = ""
        var verdict = ""
        if let budget {
            let met: Bool
            switch budget {
            case .ratio(let limit):
                allowed = "\(Self.text(limit)) x gpsd"
                met = ratio.map { $0 <= limit } ?? false
            case .absolute(let limit):
                allowed = "\(Self.text(limit)) \(unit)"
                met = locationd <= limit
            case .atLeast(let limit):
                allowed = "at least \(Self.text(limit))"
                met = locationd >= limit
            }
            verdict = met ? "met" : "missed"
            hasMisses = hasMisses || !met
        }
        rows.append([
            "\(figure), \(unit)", relay.map(Self.text) ?? "", gpsd.map(Self.text) ?? "", Self.text(locationd),
            ratio.map(Self.text) ?? "", allowed, verdict,
        ])
    }

    /// Adds a sentence below the table.
    mutating func note(_ text: String) { notes.append(text) }

    func print() {
        let table = [["", "relay", "gpsd", "locationd", "ratio", "budget", ""]] + rows
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        for row in table {
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return (1...4).contains(column) ? padding + row[column] : row[column] + padding
            }
            Swift.print(cells.joined(separator: "  "))
        }
        for note in notes { Swift.print(note) }
    }

    /// Returns `value` with three significant digits, or all digits of a whole number.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        if abs(value) >= 100 || value == value.rounded() { return String(Int(value.rounded())) }
        let scale = abs(value) >= 10 ? 10.0 : 100.0
        return String((value * scale).rounded() / scale)
    }
}
