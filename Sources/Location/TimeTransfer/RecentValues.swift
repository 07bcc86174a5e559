/// The last 32 of a series of durations in nanoseconds, with their median and their spread. It allocates nothing.
public struct RecentValues: Sendable {
    /// The maximum number of values.
    public static let capacity = 32

    private var values = InlineArray<32, Int64>(repeating: 0)
    /// The number of values, 0...32.
    public private(set) var count = 0
    private var next = 0

    /// Creates an empty series.
    public init() {}

    /// Adds a value, and drops the oldest one if there are 32 already.
    public mutating func add(_ value: Int64) {
        values[next] = value
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// The median, or `nil` without values. For an even number of values, it is the upper one of the middle two.
    public var median: Int64? { count == 0 ? nil : Self.sorted(values, count)[count / 2] }

    /// The distance from the median that contains 68 % of the values, in nanoseconds, or `nil` without values.
    public var spread: Int64? {
        guard let median else { return nil }
        var distances = values
        for index in 0..<count { distances[index] = abs(values[index] - median) }
        return Self.sorted(distances, count)[min(count * 68 / 100, count - 1)]
    }

    /// Returns the values with the first `count` in order, by insertion: there are few.
    private static func sorted(_ values: InlineArray<32, Int64>, _ count: Int) -> InlineArray<32, Int64> {
        var sorted = values
        for index in 1..<max(count, 1) {
            let value = sorted[index]
            var place = index
            while place > 0, sorted[place - 1] > value {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = value
        }
        return sorted
    }
}
