// PGRM: Garmin Proprietary NMEA 0183 Sentences Technical Specification.

extension NMEADecoder {
    /// Reads PGRME: estimated horizontal (1, M), vertical (3, M) and spherical error, in metres, at 50 %.
    mutating func readPGRME(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard joinUntimed(.garminError, followedTalker) else { return .nothing }
        guard draft.horizontalError.isNone || draft.errorsAreMedians else { return .part(.garminError) }
        draft.horizontalError = s.decimal(1, bytes)
        draft.verticalError = s.decimal(3, bytes)
        draft.errorsAreMedians = true
        return .part(.garminError)
    }

    /// Reads PGRMZ: altitude in feet (1, f), 2 if entered manually or 3 if from satellites. Only the dimension is
    /// used: a barometric height above an unknown reference is not an altitude.
    mutating func readPGRMZ(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard joinUntimed(.garminAltitude, followedTalker) else { return .nothing }
        let dimension = s.letter(3, bytes) &- UInt8(ascii: "0")
        if draft.dimension == 0, dimension == 2 || dimension == 3 { draft.dimension = dimension }
        return .part(.garminAltitude)
    }

    /// Reads PGRMM: the name of the datum.
    mutating func readPGRMM(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard s.length(1) > 0 else { return .nothing }
        datum = SentDatum(Datum(garmin: s.field(1), bytes))
        return .nothing
    }
}
