internal import NMEA

/// The order of the fixes in a log that no decoder has ordered, by the same rule as for NMEA and gpsd.
///
/// In a file of points, unlike on a wire, several points may have the same second.
struct TimeOrder {
    enum Judgement {
        case inOrder, repeated, backward
    }

    private var last: Int64?
    private var backward = BackwardEpochs()

    /// - Parameters:
    ///   - mayRepeat: A Boolean value indicating whether several fixes in a row may have the same time.
    ///   - isStart: A Boolean value indicating whether the fix begins a track, which may be older than the previous one.
    mutating func judge(_ time: Int64?, mayRepeat: Bool = false, isStart: Bool = false) -> Judgement {
        guard let time else { return .inOrder }
        if let last, !isStart {
            if time == last { return mayRepeat ? .inOrder : .repeated }
            if time < last, !backward.accepts(time, isAfter: >) { return .backward }
        }
        backward.reset()
        last = time
        return .inOrder
    }
}
