internal import Glibc

/// Round numbers along an axis.
enum AxisTicks {
    /// Returns the greatest of 1, 2 and 5 times a power of ten that is not above `limit`.
    static func roundStep(notAbove limit: Double) -> Double {
        guard limit > 0, limit.isFinite else { return 1 }
        let power = pow(10, log10(limit).rounded(.down))
        return [5, 2, 1].map { $0 * power }.first { $0 <= limit * 1.000001 } ?? power / 2
    }

    /// Returns an axis from a round number at or below `low` to one at or above `high`, with three to six intervals.
    static func axis(from low: Double, to high: Double) -> (ticks: [Double], step: Double) {
        let span = max(high - low, 1e-6)
        let step = roundStep(notAbove: span / 3)
        var first = (low / step).rounded(.down)
        var last = (high / step).rounded(.up)
        if last - first < 2 { (first, last) = (first, first + 2) }
        let stride = last - first > 6 ? 2.0 : 1.0
        var ticks: [Double] = []
        var tick = first
        while tick < last + stride - 0.5 {
            ticks.append(tick * step)
            tick += stride
        }
        return (ticks, step * stride)
    }

    /// The steps of a time axis in milliseconds.
    static let timeSteps: [Int64] = [
        100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
        3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 432_000_000, 864_000_000,
        2_592_000_000, 7_776_000_000, 31_536_000_000, 315_360_000_000, 3_153_600_000_000, 31_536_000_000_000,
    ]

    /// Returns the step of a time axis, in milliseconds, with at most `count` ticks.
    static func timeStep(over span: Int64, count: Int64) -> Int64 {
        timeSteps.first { $0 * count >= span } ?? timeSteps.last!
    }
}
