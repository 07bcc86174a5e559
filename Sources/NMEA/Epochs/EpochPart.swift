/// The sentences that tell something about an epoch, and by whose order the end of a cycle is known.
///
/// GSV is not among them: a fix does not wait for the list of satellites, which at 9600 baud takes a quarter of a
/// second.
enum EpochPart: UInt8 {
    case rmc, gga, gll, gns, gsa, vtg, zda, gst, gbs, ubloxPosition, garminError, garminAltitude, ashtechPosition
}

/// How often each sentence has come in a cycle, up to fifteen times: four bits for each.
struct PartCounts {
    private var bits: UInt64 = 0

    var isEmpty: Bool { bits == 0 }

    @inline(__always)
    func count(_ part: EpochPart) -> UInt8 {
        UInt8(truncatingIfNeeded: bits &>> Self.shift(part)) & 15
    }

    @inline(__always)
    mutating func add(_ part: EpochPart) {
        if count(part) < 15 { bits &+= 1 &<< Self.shift(part) }
    }

    @inline(__always)
    private static func shift(_ part: EpochPart) -> UInt64 { UInt64(part.rawValue) &* 4 }
}

/// What the reading of a sentence came to.
enum Reading {
    /// Understood; nothing to do for the epoch.
    case nothing
    /// It belongs to the epoch that is being put together.
    case part(EpochPart)
    /// It belongs to the next epoch: end the pending one, then read it again.
    case beginsNextEpoch
    /// A kind that is not read.
    case unknown
}
