/// The places as bytes: a version, then each place with its emitters. Numbers are little endian. Coordinates are in
/// 1e-7 degrees, radii in metres, days from 1970, and strengths in 1/255.
extension PlaceMemory {
    private static let version: UInt8 = 1
    private static let placeLength = 13
    private static let emitterLength = 9
    /// The greatest number of bytes.
    public static let maximumLength = 1 + maximumCount * (placeLength + RadioPlace.maximumEmitters * emitterLength)

    /// The places as bytes.
    var bytes: [UInt8] {
        var bytes = [Self.version]
        func append(_ number: UInt64, length: Int) {
            for index in 0..<length { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
        }
        for place in places {
            for degrees in [place.latitude, place.longitude] {
                append(UInt64(UInt32(bitPattern: Int32((degrees * 1e7).rounded()))), length: 4)
            }
            append(UInt64(place.radius.rounded(.up)), length: 2)
            append(UInt64(UInt16(clamping: place.lastUse)), length: 2)
            let strengths = place.radio.strengths
            append(UInt64(strengths.count), length: 1)
            for (id, strength) in strengths.sorted(by: { $0.key < $1.key }) {
                append(id, length: 8)
                append(UInt64(min(max(strength, 0), 1) * 255), length: 1)
            }
        }
        return bytes
    }

    /// Creates a memory from bytes, or returns `nil` if they are of another version or damaged.
    public init?(bytes: [UInt8]) {
        guard bytes.first == Self.version else { return nil }
        var rest = bytes.dropFirst()
        func number(_ length: Int) -> UInt64? {
            guard rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        var places: [RememberedPlace] = []
        while !rest.isEmpty {
            guard places.count < Self.maximumCount, let north = number(4), let east = number(4),
                let radius = number(2), let day = number(2), let count = number(1)
            else { return nil }
            var strengths: [UInt64: Double] = [:]
            for _ in 0..<count {
                guard let id = number(8), let strength = number(1) else { return nil }
                strengths[id] = Double(strength) / 255
            }
            let degrees = [north, east].map { Double(Int32(truncatingIfNeeded: $0)) / 1e7 }
            guard abs(degrees[0]) <= 90, abs(degrees[1]) <= 180, strengths.count >= Self.leastEmitters else {
                return nil
            }
            places.append(
                RememberedPlace(
                    latitude: degrees[0], longitude: degrees[1], radius: Double(radius), lastUse: Int(day),
                    radio: RadioPlace(strengths: strengths)))
        }
        self.init(places: places)
    }
}
