/// The dates and the order of epochs.
struct Timeline {
    /// The earliest possible date, in milliseconds since 1970.
    let earliestDate: Int64
    /// The machine's time, in milliseconds since 1970, or `nil` if it does not count.
    var present: Int64? {
        didSet {
            guard referenceWasRepaired, let reference, Plausibility.isPlaceholder(reference, at: present) else {
                return
            }
            (self.reference, lastStamp) = (nil, nil)
        }
    }
    /// The last dated epoch, in milliseconds since 1970.
    private var reference: Int64?
    private var referenceWasRepaired = false
    /// The time of day of the last epoch that was in order, or -1 before the first one.
    private var lastTime: Int32 = -1
    private var lastStamp: Int64?
    private var backward = BackwardEpochs()

    init(earliestDate: Int64) {
        // Not beyond 2200, so that correcting a date comes to an end.
        self.earliestDate = min(earliestDate, 7_258_118_400_000)
    }

    /// Returns whether a receiver can mean this moment, in milliseconds since 1970. A corrected date is at most one
    /// cycle after the earliest date.
    func isPossible(_ milliseconds: Int64) -> Bool {
        milliseconds < max(Plausibility.latestDate, earliestDate + Plausibility.weekCycle)
    }

    /// A Boolean value indicating whether the date is known.
    var isDated: Bool { reference != nil }

    /// Returns the time of an epoch, from the date that was sent with it at `dateTime` or, if that is -1, from the date
    /// of an earlier epoch. A midnight between the two is taken into account. Returns `nil` while the date is not
    /// known.
    func stamp(_ time: Int32, date: Int32, dateTime: Int32) -> (milliseconds: Int64, repaired: Bool)? {
        if dateTime >= 0, let sent = sentStamp(date, dateTime) {
            return (sent.milliseconds + Int64(Calendar.difference(time, dateTime)), sent.repaired)
        }
        guard let reference else { return nil }
        let referenceTime = Int32(truncatingIfNeeded: reference % Calendar.millisecondsPerDay)
        return (reference + Int64(Calendar.difference(time, referenceTime)), referenceWasRepaired)
    }

    /// Returns the moment of a date as it was sent, with cycles of weeks added if the date is impossible. Returns `nil`
    /// for a placeholder.
    @inline(__always)
    private func sentStamp(_ date: Int32, _ dateTime: Int32) -> (milliseconds: Int64, repaired: Bool)? {
        var stamp = Int64(date) * Calendar.millisecondsPerDay + Int64(dateTime)
        var repaired = false
        while stamp < earliestDate {
            stamp += Plausibility.weekCycle
            repaired = true
        }
        if repaired, Plausibility.isPlaceholder(stamp, at: present) { return nil }
        return (stamp, repaired)
    }

    enum Order { case forward, standsStill, backward }

    /// Returns whether an epoch follows the last one.
    mutating func advance(to time: Int32, _ stamp: (milliseconds: Int64, repaired: Bool)?) -> Order {
        if lastTime >= 0 {
            let step: Int64
            if let stamp, let lastStamp {
                step = stamp.milliseconds - lastStamp
            } else {
                step = Int64(Calendar.difference(time, lastTime))
            }
            if abs(step) < 10 { return .standsStill }
            // Times without a date say nothing about the first time with a date: they may come from another clock.
            let isAccepted =
                step > 0 || (stamp != nil && lastStamp == nil)
                || backward.accepts(Int64(time)) {
                    Calendar.difference(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1)) > 0
                }
            guard isAccepted else { return .backward }
        }
        backward.reset()
        lastTime = time
        lastStamp = stamp?.milliseconds
        if let stamp {
            reference = stamp.milliseconds
            referenceWasRepaired = stamp.repaired
        }
        return .forward
    }
}
