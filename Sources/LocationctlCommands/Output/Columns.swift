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
