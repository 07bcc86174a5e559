/// Chooses the device to follow among the devices on a wire.
///
/// A marine multiplexer mixes the sentences of a GNSS receiver with sentences of plotters and sounders. Some of these
/// repeat positions of their own. Only one device is followed. The position, motion and time of the others are dropped,
/// so that the position of one device is never combined with the height of another. All GNSS talkers (GP, GN, GL, GA,
/// BD...) count as one device, which is preferred. Another talker is followed if there is no GNSS talker, and if it has
/// sent `maximumOthersPositions` positions since the followed device's last position.
struct DeviceSelection {
    static let maximumOthersPositions = 20

    /// The followed talker. All GNSS talkers are `gnss`.
    private(set) var followed: UInt16 = nobody
    /// The device that sent the first sentence, while no device has sent a position.
    private var heard: UInt16 = nobody
    private var othersTime: Int32 = -1
    private var othersPositions = 0
    /// A Boolean value indicating whether the followed device has sent its motion over ground.
    var sendsMotion = false
    /// A Boolean value indicating whether a device is followed.
    var isFollowing: Bool { followed != Self.nobody }

    private static let nobody: UInt16 = 0xFFFF
    static let gnss: UInt16 = 0
    /// The time of a position that was sent without a time.
    static let noTime: Int32 = -1

    /// Returns the device of a talker.
    @inline(__always)
    static func device(of talker: Talker) -> UInt16 {
        // G*: the GNSS; BD, PQ, QZ: BeiDou and QZSS before NMEA 4.10; IM: NavIC as some chips write it.
        if UInt8(truncatingIfNeeded: talker.code) == UInt8(ascii: "G") { return gnss }
        switch talker.code.byteSwapped {
        case 0x4244, 0x5051, 0x515A, 0x494D: return gnss
        default: return talker.code
        }
    }

    /// The talker for proprietary sentences, which do not name one.
    var talker: Talker {
        Talker(code: followed == Self.gnss || followed == Self.nobody ? 0x50_47 : followed)
    }

    enum Answer { case follow, switchOver, drop }

    /// Returns the way to handle a sentence of the device. `position` is the time of the sentence's valid position, if
    /// any.
    @inline(__always)
    mutating func admit(_ device: UInt16, position time: Int32?) -> Answer {
        if device == followed {
            if time != nil { othersPositions = 0 }
            return .follow
        }
        return admitOther(device, time)
    }

    private mutating func admitOther(_ device: UInt16, _ time: Int32?) -> Answer {
        if followed == Self.nobody {
            if heard == Self.nobody { heard = device }
            guard time != nil else { return heard == device ? .follow : .drop }
            guard heard == device else { return .switchOver }
            followed = device
            return .follow
        }
        guard let time else { return .drop }
        if device == Self.gnss { return .switchOver }
        if time != othersTime || time == Self.noTime {
            othersTime = time
            othersPositions += 1
        }
        return othersPositions > Self.maximumOthersPositions ? .switchOver : .drop
    }

    mutating func follow(_ device: UInt16) {
        followed = device
        othersPositions = 0
        sendsMotion = false
    }
}
