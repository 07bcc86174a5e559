/// The sentences that tell something about an epoch, and by whose order the end of a cycle is known.
///
/// GSV is not among them: a fix does not wait for the list of satellites, which at 9600 baud takes a quarter of a
/// second.
enum EpochPart: UInt8 {
    case rmc, gga, gll, gns, gsa, vtg, zda, gst, gbs, ubloxPosition, garminError, garminAltitude, ashtechPosition

    var bit: UInt16 { 1 &<< UInt16(rawValue) }
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
