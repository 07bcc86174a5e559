internal import LocationModel
internal import ReceiverSettings
internal import Receivers

extension ReceiverControl {
    /// A Boolean value indicating whether any receiver's settings depend on the apps.
    var followsApps: Bool { members.contains { $0.receiver.profile?.followsApps == true } }

    /// The greatest error of a clock that the kernel still calls synchronized, in seconds (adjtimex(2), NTP_PHASE_LIMIT).
    private static let clockAccuracy = 16

    /// Returns the time for a receiver's first fix, or `nil` if the machine's clock is not known to be synchronized.
    ///
    /// Attack: a false signal sets the clock by a receiver, and the clock then confirms the signal to the receiver. So
    /// a daemon that passes on its receivers' time tells them none.
    func assistedTime(passesTime: Bool) -> AssistedTime? {
        guard !passesTime, synchronization?.isSynchronized == true else { return nil }
        let now = clock()
        let (day, millisecond) = now.dayAndMillisecond
        let (date, second) = (Timestamp.civil(daysSince1970: day), Int(millisecond) / 1000)
        return AssistedTime(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: second / 3600,
            minute: second / 60 % 60, second: second % 60, accuracy: Self.clockAccuracy)
    }
}
