internal import NMEA

/// The order of the fixes in a log that no decoder has put in order, by the rule of the readers of NMEA and of gpsd.
struct FixOrder {
    enum Judgement {
        case inOrder, repeated, backward
    }

    private var last: Int64?
    private var backward = BackwardEpochs()

    mutating func judge(_ time: Int64?) -> Judgement {
        guard let time else { return .inOrder }
        if let last {
            if time == last { return .repeated }
            if time < last, !backward.accepts(time, isAfter: >) { return .backward }
        }
        backward.reset()
        last = time
        return .inOrder
    }
}
