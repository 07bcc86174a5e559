/// A geodetic datum other than WGS 84 on which a receiver reports its coordinates.
///
/// Receivers report it with DTM, using the codes of IHO publication S-60, or with PGRMM, using Garmin's names.
/// Coordinates are not converted. They are off by at most ``greatestShift``:
///
/// | datum | code | metres |
/// |---|---|---|
/// | NAD 27 | NAS | 175 |
/// | ED 50 | EUR | 190 |
/// | Tokyo | TOY | 650 |
/// | OSGB 36 | OGB | 150 |
/// | Pulkovo 1942 | PUK | 150 |
/// | WGS 72 | W72 | 20 |
/// | NAD 83 | NAR | 2 |
/// | PZ-90, SGS 85 | P90, S85 | 10 |
/// | any other | | 1,000 |
///
/// The first five are the greatest horizontal shifts in the area of the datum, by the abridged Molodensky formulas with
/// the mean translations in NIMA TR8350.2 (3rd ed., 2000), appendix B, rounded up. WGS 72: its rotation of 0.554" and
/// 4.5 m (TR8350.2, 7). NAD 83: National Geodetic Survey, "up to 2 m". PZ-90: its first realization, of 1990.
public struct Datum: Sendable, Hashable {
    private enum Kind: UInt8 {
        case nad27, ed50, tokyo, osgb36, pulkovo1942, wgs72, nad83, pz90, other
    }

    private let kind: Kind
    /// The ASCII codes of the three letters in DTM, the first one lowest, or 0.
    private let code: UInt32

    /// The name, for users: `ED 50`, or the code of DTM, or `unknown`.
    public var name: String {
        switch kind {
        case .nad27: return "NAD 27"
        case .ed50: return "ED 50"
        case .tokyo: return "Tokyo"
        case .osgb36: return "OSGB 36"
        case .pulkovo1942: return "Pulkovo 1942"
        case .wgs72: return "WGS 72"
        case .nad83: return "NAD 83"
        case .pz90: return "PZ-90"
        case .other:
            let letters = (0..<3).map { UInt8(truncatingIfNeeded: code &>> ($0 * 8)) }
            guard letters.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
                return "unknown"
            }
            return String(decoding: letters, as: UTF8.self)
        }
    }

    /// The greatest horizontal distance between a place and the place with the same coordinates on WGS 84, in metres.
    public var greatestShift: Double {
        switch kind {
        case .nad27: 175
        case .ed50: 190
        case .tokyo: 650
        case .osgb36, .pulkovo1942: 150
        case .wgs72: 20
        case .nad83: 2
        case .pz90: 10
        case .other: 1000
        }
    }

    /// Creates the datum with a code of DTM, the first letter lowest, or returns `nil` for WGS 84.
    init?(code: UInt32) {
        switch code.byteSwapped >> 8 {
        case 0x57_38_34: return nil  // W84
        case 0x4E_41_53: kind = .nad27  // NAS
        case 0x45_55_52: kind = .ed50  // EUR
        case 0x54_4F_59: kind = .tokyo  // TOY
        case 0x4F_47_42: kind = .osgb36  // OGB
        case 0x50_55_4B: kind = .pulkovo1942  // PUK
        case 0x57_37_32: kind = .wgs72  // W72
        case 0x4E_41_52: kind = .nad83  // NAR
        case 0x50_39_30, 0x53_38_35: kind = .pz90  // P90, S85
        default: kind = .other
        }
        self.code = code
    }

    /// Creates the datum with one of Garmin's names, or returns `nil` for WGS 84.
    init?(garmin name: Field, _ bytes: RawSpan) {
        func begins(_ text: StaticString) -> Bool {
            guard text.utf8CodeUnitCount <= name.length else { return false }
            return (0..<text.utf8CodeUnitCount).allSatisfy {
                // Letters of either case.
                (bytes.byte(at: name.start + $0) | 0x20) == (text.utf8Start[$0] | 0x20)
            }
        }
        guard !begins("WGS 84"), !begins("WGS84") else { return nil }
        kind =
            if begins("NAD27") || begins("NAD 27") {
                .nad27
            } else if begins("European 19") || begins("European 50") || begins("ED50") {
                .ed50
            } else if begins("Tokyo") {
                .tokyo
            } else if begins("Ord Srvy") || begins("OSGB") {
                .osgb36
            } else if begins("Pulkovo") || begins("S-42") {
                .pulkovo1942
            } else if begins("WGS 72") || begins("WGS72") {
                .wgs72
            } else if begins("NAD83") || begins("NAD 83") {
                .nad83
            } else {
                .other
            }
        code = 0
    }
}

/// The datum of the following positions in a receiver's output.
struct SentDatum {
    /// The greatest applied offset, in billionths of a minute: two minutes. Every datum is closer to WGS 84.
    ///
    /// Attack: a device on the wire moves the machine by an offset that does not belong to any datum.
    private static let greatestOffset: Int64 = 2_000_000_000

    /// The datum, or `nil` if it is WGS 84 or its offsets are known.
    private(set) var datum: Datum?
    /// The offset to subtract from a position, in billionths of a minute.
    private(set) var latitude: Int64 = 0
    private(set) var longitude: Int64 = 0
    /// The maximum error of positions because of the datum, in metres.
    private(set) var error: Float = 0
    /// A Boolean value indicating whether positions have to be moved.
    var isShifted: Bool { latitude != 0 || longitude != 0 }

    /// Creates WGS 84.
    init() {}

    /// Creates a datum with unknown offsets.
    init(_ datum: Datum?) {
        self.datum = datum
        error = Float(datum?.greatestShift ?? 0)
    }

    /// Creates a datum whose offsets from WGS 84 are sent in minutes, positive north and east. The offsets are ignored
    /// if both are zero, which receivers send that do not know them.
    init(_ datum: Datum, north: FixedPoint, east: FixedPoint) {
        self.init(datum)
        guard let latitude = north.nanominutes, let longitude = east.nanominutes, latitude != 0 || longitude != 0,
            abs(latitude) < Self.greatestOffset, abs(longitude) < Self.greatestOffset
        else { return }
        (self.latitude, self.longitude) = (latitude, longitude)
        self.datum = nil
        // Half of the last digit in both directions. A minute of latitude has 1852 m.
        let digit = 1852 / Double(FixedPoint.powerOfTen(min(north.scale, east.scale)))
        error = Float(digit * 0.7072)
    }
}

extension FixedPoint {
    /// The number of minutes as billionths, or `nil` if it is `none` or too large for an offset.
    fileprivate var nanominutes: Int64? {
        guard !isNone, abs(mantissa) < 1_000_000_000 else { return nil }
        return scale <= 9
            ? mantissa &* FixedPoint.powerOfTen(9 &- scale) : mantissa / FixedPoint.powerOfTen(scale &- 9)
    }
}
