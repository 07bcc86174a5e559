/// The sentences that contribute to an epoch, and from whose order the end of a cycle is learned.
///
/// GSV is not among them: a fix does not wait for the list of satellites, which takes a quarter of a second at 9600
/// baud.
enum EpochPart: UInt8 {
    case rmc, gga, gll, gns, gsa, vtg, zda, gst, gbs, ubloxPosition, garminError, garminAltitude, ashtechPosition,
        ubloxNavigation
    /// Any frame of a solution in several frames.
    case ubloxSolution
}

/// The number of times that each sentence has come in a cycle, up to fifteen: four bits for each.
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
