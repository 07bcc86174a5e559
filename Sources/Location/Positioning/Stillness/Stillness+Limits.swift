/// The times, thresholds and limits. Times are in seconds.
extension Stillness {
    /// The times from a fix that has confirmed the place to the next check, in seconds. The last one repeats.
    public static let checkIntervals: [Double] = [900, 3600, 14_400]
    /// The same while no fix was made since the device came to the place: after the last check, it is not still.
    static let firstFixIntervals: [Double] = [120, 900]
    /// The time after these checks during which the receivers follow the apps' plan, unless they find a fix, in
    /// seconds.
    static let blindTime = 900.0
    /// The time from the first fix at a place, if the device was still without one, to the next check, in seconds.
    static let secondFix = 60.0
    /// The accuracy that ends a check, in metres, 68 %. A worse fix shows only that the device is elsewhere.
    static let checkAccuracy = 100.0
    /// The time after the beginning of a check when it has failed, in seconds.
    static let checkSeconds = DutyCycle.warmSearch + 15
    /// The similarity of a scan below which the device has perhaps moved, from 0 to 1.
    static let leastSimilarity = 0.25
    /// The similarity below which it has perhaps moved if the next scan confirms that.
    static let doubtfulSimilarity = 0.45
    /// The number of emitters of a place whose absence from one scan is no accident.
    static let leastRepresentatives = 3
    /// The time without a scan or a connection after which the surroundings are unknown, in seconds. NetworkManager
    /// scans every 120 s while it is not connected.
    public static let silence = 300.0
    /// The time after which surroundings have either become a place or say nothing about the movement, in seconds.
    static let decision = Settling.seconds + 60
    /// The time for a scan after a connection was lost, or the machine has slept, in seconds.
    static let waiting = 60.0
    /// The time that receivers are asked for fixes at a short interval once the device has perhaps moved, in seconds.
    static let urgency = 180.0
    /// The greatest number of such times in half an hour: surroundings that keep changing cost hardly more than the
    /// receivers do without this.
    static let maximumUrgencies = 4
    static let urgencyPeriod = 1800.0
    /// The fixes away from the place that show that the device has moved.
    static let fixesToMove = 2
    /// The greatest number of places that are remembered while the daemon runs.
    public static let maximumPlaces = 16
}
