/// A histogram of numbers from 0 on, in constant memory: 1024 classes of equal width up to 2048, and 1024 classes in
/// each octave beyond. So numbers below 2048 are exact, and greater ones to one part in 1024.
struct Histogram: Sendable {
    private static let bits = 10

    private var counts: [UInt32] = []
    private(set) var total: UInt64 = 0

    /// Adds a number. Numbers below 0 count as 0.
    mutating func add(_ number: Int64) {
        let index = Self.index(max(0, number))
        // Extended on demand: most logs need few octaves.
        while counts.count <= index { counts.append(contentsOf: repeatElement(0, count: 1 << Self.bits)) }
        if counts[index] < .max { counts[index] += 1 }
        total += 1
    }

    /// Returns the lower bound of the first class that, together with lower ones, contains at least this share of the
    /// numbers, or `nil` if there are no numbers.
    ///
    /// - Parameter bound: Numbers in classes that begin above it do not count.
    func quantile(_ share: Double, upTo bound: Int64 = .max) -> Int64? {
        let total = total - count(above: bound)
        guard total > 0 else { return nil }
        let wanted = max(1, UInt64((share * Double(total)).rounded(.up)))
        var sum: UInt64 = 0
        for (index, count) in counts.enumerated() {
            sum += UInt64(count)
            if sum >= wanted { return Self.lowerBound(index) }
        }
        return nil
    }

    /// Returns the number of numbers in classes that begin above `bound`.
    func count(above bound: Int64) -> UInt64 {
        let first = Self.index(bound) + 1
        guard first < counts.count else { return 0 }
        return counts[first...].reduce(0) { $0 + UInt64($1) }
    }

    /// Returns the greatest number of the class of `number`.
    static func upperBound(_ number: Int64) -> Int64 { lowerBound(index(number) + 1) - 1 }

    private static func index(_ number: Int64) -> Int {
        let octave = max(0, 63 - number.leadingZeroBitCount - bits)
        return octave << bits + Int(number >> Int64(octave))
    }

    private static func lowerBound(_ index: Int) -> Int64 {
        guard index >= 2 << bits else { return Int64(index) }
        let octave = index >> bits - 1
        return Int64(index - octave << bits) << Int64(octave)
    }
}
