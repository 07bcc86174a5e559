/// The times for reading a list that the daemon does not announce changes to: after an event that may have changed it, but
/// not more often than an interval allows.
///
/// Times are seconds on a clock that never goes back.
struct ReadingSchedule: Equatable {
    /// The action that is due.
    enum Action: Equatable {
        case read
        /// Call ``due(at:)`` after that many seconds.
        case wait(Double)
    }

    /// The shortest time between two readings, in seconds.
    let interval: Double
    private var lastRead: Double?
    private var isReading = false
    private var isStale = false
    private var isWaiting = false

    init(interval: Double) { self.interval = interval }

    /// Handles an event that may have changed the list.
    mutating func changed(at time: Double) -> Action? {
        isStale = true
        return next(at: time)
    }

    /// Handles the end of a reading.
    mutating func finished(at time: Double) -> Action? {
        isReading = false
        return next(at: time)
    }

    /// Handles the end of a wait.
    mutating func due(at time: Double) -> Action? {
        isWaiting = false
        return next(at: time)
    }

    private mutating func next(at time: Double) -> Action? {
        guard isStale, !isReading, !isWaiting else { return nil }
        if let lastRead, time - lastRead < interval {
            isWaiting = true
            return .wait(interval - (time - lastRead))
        }
        (isStale, isReading, lastRead) = (false, true, time)
        return .read
    }
}
