/// The bounds of the queue. When one is exceeded, the oldest reports are dropped.
package struct QueueBounds: Sendable, Equatable {
    /// The maximum number of reports.
    package var maximumCount: Int
    /// The maximum age of a report, in seconds since it was put into the queue.
    package var maximumAge: Int
    /// The maximum size of all reports, in bytes. SQLite needs up to twice as much on the disk.
    package var maximumSize: Int

    /// Creates bounds. The default is a week, and a fix every second of a day.
    package init(maximumCount: Int = 100_000, maximumAge: Int = 7 * 86_400, maximumSize: Int = 64_000_000) {
        self.maximumCount = maximumCount
        self.maximumAge = maximumAge
        self.maximumSize = maximumSize
    }

    /// Returns whether a queue of this size is to drop its oldest report.
    package func isExceeded(count: Int, size: Int) -> Bool {
        count > maximumCount || size > maximumSize
    }
}
