/// The origin of a fix's timestamp.
public enum FixDating: Sendable, Equatable {
    /// Time and date are the receiver's own.
    case receiver
    /// The time of day is the receiver's. The date is the one that puts it nearest to the machine's clock.
    case nearestDay
    /// The machine's time at the arrival. The receiver has sent no time.
    case arrival
}
