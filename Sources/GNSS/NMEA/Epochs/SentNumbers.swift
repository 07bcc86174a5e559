/// The numbers of an epoch as the receiver sent them. They are converted on access.
struct SentNumbers: Sendable, Equatable {
    var altitude = FixedPoint.none
    var geoidSeparation = FixedPoint.none
    var ellipsoidalAltitude = FixedPoint.none
    /// The HDOP in the sentence that the position comes from.
    var hdop = FixedPoint.none
    /// The HDOP in GSA.
    var usedHDOP = FixedPoint.none
    var vdop = FixedPoint.none
    var pdop = FixedPoint.none
    var knots = FixedPoint.none
    var kilometresPerHour = FixedPoint.none
    var course = FixedPoint.none
    /// The motion in VTG, used where RMC has none.
    var trackKnots = FixedPoint.none
    var trackKilometresPerHour = FixedPoint.none
    var trackCourse = FixedPoint.none
    var magneticVariation = FixedPoint.none
    var correctionAge = FixedPoint.none
    /// The motion in NAV-PVT. It has more digits than sentences have.
    var motion = SentMotion()
}

/// The motion in a NAV-PVT, as it was sent.
struct SentMotion: Sendable, Equatable {
    /// The speed in millimetres per second, or a number below zero without a speed.
    var speed: Int32 = -1
    /// The course in units of 1e-5°.
    var course: Int32 = 0
    /// The accuracies at 68 %, in the same units.
    var speedAccuracy: UInt32 = 0
    var courseAccuracy: UInt32 = 0

    var isNone: Bool { speed < 0 }
}
