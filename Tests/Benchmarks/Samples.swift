/// Measured values, reported by their median and their tail.
struct Samples {
    private var values: [Double] = []
    /// The number of measurements that timed out.
    private(set) var missed = 0

    mutating func add(_ value: Double?) {
        if let value { values.append(value) } else { missed += 1 }
    }

    var median: Double { quantile(0.5) }
    var percentile99: Double { quantile(0.99) }
    var greatest: Double { values.max() ?? .nan }
    var count: Int { values.count }

    /// Returns the value at a quantile, or NaN if there are no values.
    private func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
