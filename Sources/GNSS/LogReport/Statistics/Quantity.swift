/// A quantity drawn over time.
enum Quantity: Int, CaseIterable, Sendable {
    case speed, altitude, accuracy, satellitesUsed, satellitesInView, signal
}

/// The range and the mean of numbers.
struct Extent: Sendable, Equatable {
    private(set) var low = Float.infinity
    private(set) var high = -Float.infinity
    private(set) var count: UInt32 = 0
    private var sum = 0.0

    /// The mean, or `nil` without numbers.
    var mean: Double? { count > 0 ? sum / Double(count) : nil }

    mutating func add(_ number: Double) {
        // Greater numbers are not altitudes, speeds or accuracies, whatever the log says. The count suffices for 136
        // years at 1 Hz.
        guard number.magnitude <= 1e9, count < .max else { return }
        low = min(low, Float(number))
        high = max(high, Float(number))
        sum += number
        count += 1
    }

    mutating func merge(_ other: Extent) {
        low = min(low, other.low)
        high = max(high, other.high)
        sum += other.sum
        count = UInt32(clamping: UInt64(count) + UInt64(other.count))
    }
}

/// The extents of all quantities in a span of time, and the place at its beginning.
struct Bucket: Sendable {
    private var extents = InlineArray<6, Extent>(repeating: Extent())
    private(set) var place: SurfacePoint?

    subscript(quantity: Quantity) -> Extent { extents[quantity.rawValue] }

    mutating func add(_ quantity: Quantity, _ number: Double?) {
        if let number { extents[quantity.rawValue].add(number) }
    }

    mutating func visit(_ place: SurfacePoint) {
        if self.place == nil { self.place = place }
    }

    /// Merges a later bucket.
    mutating func merge(_ other: Bucket) {
        for index in extents.indices { extents[index].merge(other.extents[index]) }
        if place == nil { place = other.place }
    }

    var isEmpty: Bool { place == nil && extents[Quantity.satellitesInView.rawValue].count == 0 }
}
