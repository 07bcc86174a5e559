/// The shift of the positions and dates of a recording.
package struct PositionShift: Sendable, Equatable {
    /// The unit of both angles, 0.0005° or 0.03'. Multiples of it are exact in sentences with two or more decimals of a
    /// minute, and in UBX.
    package static let unitsPerDegree = 2000

    /// The shift of the latitude, in units of 0.0005°.
    package var latitude: Int
    /// The shift of the longitude, in units of 0.0005°.
    package var longitude: Int
    /// The number of weeks that dates are moved back. The time of day and the day of the week stay the same.
    package var weeks: Int

    /// Creates a shift.
    package init(latitude: Int, longitude: Int, weeks: Int) {
        (self.latitude, self.longitude, self.weeks) = (latitude, longitude, weeks)
    }

    /// Draws a shift for a recording that begins at a latitude in degrees.
    ///
    /// Attack: an attacker who knows how shifts are drawn recovers them from the result. So each result is equally
    /// likely for any place: a latitude of up to 70°, any longitude, and up to 400 weeks.
    package static func random(from latitude: Double, using generator: inout some RandomNumberGenerator)
        -> PositionShift
    {
        let (limit, half) = (70 * unitsPerDegree, 180 * unitsPerDegree)
        return PositionShift(
            latitude: Int.random(in: -limit...limit, using: &generator) - Int(latitude * 2000),
            longitude: Int.random(in: -half..<half, using: &generator),
            weeks: Int.random(in: 1...400, using: &generator))
    }

    /// Returns a day moved by the shift, in days since 1970. The first week of GPS time stays unchanged.
    ///
    /// Attack: a receiver that does not know the date sends the first day of GPS time, which is well known.
    func moved(_ days: Int32) -> Int32 {
        (3657..<3664).contains(days) ? days : days - Int32(7 * weeks)
    }
}
