/// The place of a machine that does not move, as its owner states it.
public struct FixedPlace: Sendable, Hashable {
    /// The latitude in degrees north of the equator, WGS 84, -90...90.
    public let latitude: Double
    /// The longitude in degrees east of Greenwich, WGS 84, -180...180.
    public let longitude: Double
    /// The altitude in metres above mean sea level, within ``altitudes``, or `nil` if it is not stated.
    public let altitude: Double?
    /// The horizontal accuracy in metres, 68 %, within ``accuracies``.
    public let accuracy: Double

    /// The range of altitudes, in metres above mean sea level.
    public static let altitudes = -1000.0...20_000
    /// The range of accuracies, in metres.
    public static let accuracies = 0.001...100_000
    /// The accuracy of a place that is stated without an accuracy, in metres. A point on a map is about as accurate.
    public static let defaultAccuracy = 10.0

    /// Parses `LAT,LON[,ALT][~ACCURACY]`.
    public init(parsing text: some StringProtocol) throws(ReceiverSpecification.ParseError) {
        let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count) else {
            throw ReceiverSpecification.ParseError(
                """
                "\(text)" is not a place: write LATITUDE,LONGITUDE[,ALTITUDE][~ACCURACY] in degrees and metres, as in \
                48.13743,11.57549,520~5
                """)
        }
        latitude = try Self.number(numbers[0], "a latitude in degrees", -90...90)
        longitude = try Self.number(numbers[1], "a longitude in degrees", -180...180)
        altitude = numbers.count < 3 ? nil : try Self.number(numbers[2], "an altitude in metres", Self.altitudes)
        accuracy =
            parts.count < 2 ? Self.defaultAccuracy : try Self.number(parts[1], "an accuracy in metres", Self.accuracies)
    }

    private static func number(
        _ text: some StringProtocol, _ what: String, _ range: ClosedRange<Double>
    ) throws(ReceiverSpecification.ParseError) -> Double {
        // Swift's own conversion also accepts "inf" and "0x1p3". "1e-05" is how it writes a number itself.
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.e".utf8.contains($0)
        }
        guard isPlain, let number = Double(text), range.contains(number) else {
            throw ReceiverSpecification.ParseError(
                "\"\(text)\" is not \(what): use a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension FixedPlace: CustomStringConvertible {
    /// The shortest text that `init(parsing:)` parses into this value.
    public var description: String {
        let altitude = altitude.map { ",\($0.shortText)" } ?? ""
        let accuracy = accuracy == Self.defaultAccuracy ? "" : "~\(accuracy.shortText)"
        return "\(latitude.shortText),\(longitude.shortText)\(altitude)\(accuracy)"
    }
}

extension Double {
    /// The shortest text of a number, without a fraction if it is whole. The number is within the range of `Int`.
    package var shortText: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
