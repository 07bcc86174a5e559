/// The numbers of an epoch as the receiver sent them. They are converted when they are read.
struct SentNumbers: Sendable, Equatable {
    var altitude = FixedPoint.none
    var geoidSeparation = FixedPoint.none
    var ellipsoidalAltitude = FixedPoint.none
    /// HDOP of the sentence that the position is from.
    var hdop = FixedPoint.none
    /// GSA's.
    var usedHDOP = FixedPoint.none
    var vdop = FixedPoint.none
    var pdop = FixedPoint.none
    var knots = FixedPoint.none
    var kilometresPerHour = FixedPoint.none
    var course = FixedPoint.none
    /// VTG's, used where RMC has none.
    var trackKnots = FixedPoint.none
    var trackKilometresPerHour = FixedPoint.none
    var trackCourse = FixedPoint.none
    var magneticVariation = FixedPoint.none
    var correctionAge = FixedPoint.none
}
