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
    /// NAV-PVT's. It has more digits than that of sentences.
    var motion = SentMotion()
}

/// The motion in a NAV-PVT, as it was sent.
struct SentMotion: Sendable, Equatable {
    /// Millimetres per second, below zero if there is none.
    var speed: Int32 = -1
    /// 1e-5°.
    var course: Int32 = 0
    /// The accuracies at 68 %, in the same units.
    var speedAccuracy: UInt32 = 0
    var courseAccuracy: UInt32 = 0

    var isNone: Bool { speed < 0 }
}
