/// The aligned columns of a stream's lines: each line is printed before the next one is known.
enum Columns {
    /// The cells, each with a distance before it and moved to the right of its width.
    static func text(_ cells: [(text: String, width: Int)]) -> String {
        cells.map { "  " + String(repeating: " ", count: max(0, $0.width - $0.text.count)) + $0.text }.joined()
    }

    /// The cells of a place: 12, 13 and 9 columns wide.
    static func place(
        _ latitude: Double, _ longitude: Double, _ accuracy: Double?
    ) -> [(text: String, width: Int)] {
        [
            (Decimal.text(latitude, digits: 6, unit: "°"), 12), (Decimal.text(longitude, digits: 6, unit: "°"), 13),
            (Decimal.accuracy(accuracy), 9),
        ]
    }
}
