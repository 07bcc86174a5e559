/// Takes samples of the wall clock from the epochs of one receiver.
///
/// A wrong sample is worse than none: a clock that follows it is wrong although it claims to be right. So an epoch
/// gives a sample only if its time is the receiver's own and has agreed with the machine's steady clock for a number of
/// epochs. Epochs cannot reveal their delay: the time from the stated moment to the first byte, during which the
/// receiver computes and waits. The caller states it.
public struct TimeSampler: Sendable {
    /// The number of agreeing epochs before the first sample.
    public static let settlingEpochs = 8
    /// The greatest difference between the progress of the stated time and the progress of the steady clock, in
    /// nanoseconds. Receivers vary by less; the smallest relevant jump of a receiver's time, a leap second, is greater.
    public static let greatestJump: Int64 = 400_000_000
    /// The greatest time between two epochs, in nanoseconds. After a longer gap, such as a loss of all satellites, the
    /// epochs have to agree again.
    public static let greatestGap: Int64 = 10_000_000_000
    /// The latest accepted time, in nanoseconds since 1970: in the year 2200. It keeps arithmetic in range.
    static let latestTime: Int64 = 7_258_118_400 * 1_000_000_000

    /// The stated time minus the steady clock, in nanoseconds, of the recent agreeing epochs.
    private var leads = RecentValues()
    private var last: EpochArrival?

    /// Creates a sampler that has seen no epoch.
    public init() {}

    /// The variation of the arrivals against the stated times, in nanoseconds (68 %), or `nil` with fewer than 32
    /// agreeing epochs.
    public var spread: Int64? { leads.count == RecentValues.capacity ? leads.spread : nil }

    /// Returns the sample of an epoch.
    ///
    /// - Parameters:
    ///   - arrival: The epoch. Each epoch is passed once, in order.
    ///   - delay: The time from the stated moment to the arrival of the first byte, in seconds, 0...10.
    ///   - now: The clocks now.
    public mutating func sample(
        _ arrival: EpochArrival, delay: Double, now: ClockReading
    ) throws(SampleRefusal) -> TimeSample {
        switch arrival.origin {
        case .satellites: break
        case .inferred: throw .inferred
        case .invented: throw .invented
        }
        guard (0..<Self.latestTime).contains(arrival.statedTime), (0..<Self.latestTime).contains(arrival.clocks.wall),
            (0..<Self.latestTime).contains(arrival.clocks.steady), (0...10).contains(delay)
        else { throw .outOfRange }
        guard !Self.isLeapSecond(arrival.statedTime) else { throw .leapSecond }
        let last = self.last
        self.last = arrival
        try follow(arrival, after: last)
        guard leads.count > Self.settlingEpochs else { throw .settling }
        guard last.map({ !arrival.clocks.wasSet(since: $0.clocks) }) == true, !now.wasSet(since: arrival.clocks) else {
            throw .clockWasSet
        }
        return TimeSample(
            wallClock: arrival.clocks.wall, trueTime: arrival.statedTime + Int64((delay * 1e9).rounded()))
    }

    /// Adds an epoch to the agreeing ones, or begins again with it.
    private mutating func follow(_ arrival: EpochArrival, after last: EpochArrival?) throws(SampleRefusal) {
        let lead = arrival.statedTime - arrival.clocks.steady
        if let last {
            let isLeap = leads.median.map { abs(lead - $0) > Self.greatestJump } ?? false
            let isForward = arrival.statedTime > last.statedTime && arrival.clocks.steady > last.clocks.steady
            let isGap = arrival.clocks.steady - last.clocks.steady > Self.greatestGap
            if isLeap || !isForward || isGap { leads = RecentValues() }
            guard !isLeap, isForward else {
                leads.add(lead)
                throw .jump
            }
        }
        leads.add(lead)
    }

    /// Returns whether the time stands for a leap second, which the decoder reports as 23:59:59.990.
    private static func isLeapSecond(_ time: Int64) -> Bool {
        time % 86_400_000_000_000 == 86_399_990_000_000
    }
}
