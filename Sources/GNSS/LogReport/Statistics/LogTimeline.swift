/// The quantities over time in bounded memory: buckets of equal width, which is doubled when there are too many.
struct LogTimeline: Sendable {
    /// The maximum number of buckets.
    static let maximumBuckets = 4096

    /// The beginning of the first bucket, by the log's clock.
    private(set) var start: Int64?
    /// The width of a bucket in milliseconds.
    private(set) var width: Int64 = 100
    private(set) var buckets: [Bucket] = []

    /// Calls `body` with the bucket of a time. Times before the first bucket belong to the first bucket.
    mutating func update(at time: Int64, _ body: (inout Bucket) -> Void) {
        let start = start ?? time
        self.start = start
        while (time - start) / width >= Int64(Self.maximumBuckets) { halve() }
        let index = max(0, Int((time - start) / width))
        while buckets.count <= index { buckets.append(Bucket()) }
        body(&buckets[index])
    }

    /// Returns the same timeline with at most `count` buckets.
    func reduced(to count: Int) -> LogTimeline {
        var reduced = self
        while reduced.buckets.count > count { reduced.halve() }
        return reduced
    }

    private mutating func halve() {
        width *= 2
        for index in 0..<(buckets.count + 1) / 2 {
            var bucket = buckets[2 * index]
            if 2 * index + 1 < buckets.count { bucket.merge(buckets[2 * index + 1]) }
            buckets[index] = bucket
        }
        buckets.removeLast(buckets.count / 2)
    }
}
