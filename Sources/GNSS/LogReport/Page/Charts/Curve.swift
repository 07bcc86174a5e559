/// The curve of a quantity: a line through the means, and a band from the least to the greatest values.
struct Curve {
    private(set) var line = ""
    private(set) var band = ""

    private struct Point {
        var x: Int
        var mean: Int
        var top: Int
        var bottom: Int
    }

    init(
        _ timeline: LogTimeline, _ quantity: Quantity, breakAfter: Int64, x: (Int64) -> Double, y: (Double) -> Int
    ) {
        var run: [Point] = []
        var last: Int64 = 0
        for (index, bucket) in timeline.buckets.enumerated() {
            let extent = bucket[quantity]
            guard let mean = extent.mean else { continue }
            let time = (timeline.start ?? 0) + Int64(index) * timeline.width
            if !run.isEmpty, time - last > breakAfter {
                append(run)
                run.removeAll()
            }
            last = time
            run.append(
                Point(
                    x: Int(x(time).rounded()), mean: y(mean), top: y(Double(extent.high)), bottom: y(Double(extent.low))
                )
            )
        }
        append(run)
    }

    private mutating func append(_ run: [Point]) {
        guard let first = run.first else { return }
        line += "M\(first.x) \(first.mean)"
        // A line without length has its round ends.
        if run.count == 1 { line += "h0" }
        var last = first
        for point in run.dropFirst() {
            line += "l\(point.x - last.x) \(point.mean - last.mean)"
            last = point
        }
        guard run.contains(where: { $0.top < $0.bottom }) else { return }
        band += "M\(first.x) \(first.top)"
        last = first
        for point in run.dropFirst() {
            band += "l\(point.x - last.x) \(point.top - last.top)"
            last = point
        }
        band += "L\(last.x) \(last.bottom)"
        for point in run.reversed().dropFirst() {
            band += "l\(point.x - last.x) \(point.bottom - last.bottom)"
            last = point
        }
        band += "z"
    }
}
