/// Measured values, of which the middle and the tail are told.
struct Samples {
    private var values: [Double] = []
    /// How often what was to be measured did not happen in time.
    private(set) var missed = 0

    mutating func add(_ value: Double?) {
        if let value { values.append(value) } else { missed += 1 }
    }

    var median: Double { quantile(0.5) }
    var percentile99: Double { quantile(0.99) }
    var greatest: Double { values.max() ?? .nan }
    var count: Int { values.count }

    /// The value that a part of the values does not exceed; NaN when there are none.
    private func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
