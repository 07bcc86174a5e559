/// The place of a reference station's antenna, in metres from the centre of the Earth (ECEF, RTCM 10403.3, tables 3.5-3
/// and 3.5-4).
package struct ReferencePoint: Sendable, Equatable {
    package let x: Double
    package let y: Double
    package let z: Double
    /// A Boolean value indicating whether a network computes corrections for this place, instead of measuring there.
    package let isComputed: Bool

    /// Reads a frame, or returns `nil` if it is neither 1005 nor 1006.
    package init?(_ frame: RTCMFrame, _ bytes: Span<UInt8>) {
        guard frame.kind == .referencePoint else { return nil }
        isComputed = bytes.bits(33, 1) == 1
        (x, y, z) = (Self.metres(bytes, 34), Self.metres(bytes, 74), Self.metres(bytes, 114))
    }

    /// Returns a signed number of 38 bits, in units of 0.1 mm.
    private static func metres(_ bytes: Span<UInt8>, _ offset: Int) -> Double {
        Double((bytes.bits(offset, 38) << 26) >> 26) / 10_000
    }

    /// Returns the distance to another point, in metres.
    package func distance(to other: ReferencePoint) -> Double {
        let (dx, dy, dz) = (other.x - x, other.y - y, other.z - z)
        return (dx * dx + dy * dy + dz * dz).squareRoot()
    }
}
