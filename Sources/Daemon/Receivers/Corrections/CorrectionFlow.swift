package import LocationModel
package import NIOCore
import RTCM

/// The corrections that arrive for a receiver: their station and its place, their age, their rate, and their losses.
package struct CorrectionFlow: Sendable {
    /// The time over which the rate is measured, and for which a reference point that has moved is reported.
    private static let period = TimeAmount.seconds(10)
    /// The pause after which another caster may send them. `locationd-ntrip` reconnects no sooner.
    private static let pause = TimeAmount.seconds(10)

    /// The number of the reference station, or `nil` until a message has named it.
    package private(set) var station: Int?
    /// The number of messages a second, or `nil` until it was measured.
    package private(set) var rate: Double?
    /// The number of messages that may not reach a receiver.
    package private(set) var refused = 0
    /// The number of messages that newer ones have replaced, because the line is too slow.
    package private(set) var outdated = 0

    private var point: ReferencePoint?
    private var watch = ReferenceWatch()
    private var last: NIODeadline?
    private var movedAt: NIODeadline?
    private var measured: (since: NIODeadline, count: Int)?

    /// Returns the time since the last message, in seconds.
    package func age(at now: NIODeadline) -> Double? { last.map { Double((now - $0).nanoseconds) / 1e9 } }

    /// Returns whether the reference point has moved in the last ten seconds, farther than an antenna does.
    ///
    /// Attack: a caster repeats the new point at once, so that no epoch comes in between.
    func isSuspicious(at now: @autoclosure () -> NIODeadline) -> Bool {
        movedAt.map { now() - $0 < Self.period } ?? false
    }

    /// Returns the distance from the reference station's antenna to a location along the ellipsoid, in metres.
    package func distance(to location: Location) -> Double? {
        point.flatMap { Ellipsoid.wgs84.place(x: $0.x, y: $0.y, z: $0.z) }.map {
            Ellipsoid.wgs84.distance(
                fromLatitude: $0.latitude, longitude: $0.longitude, toLatitude: location.latitude,
                longitude: location.longitude)
        }
    }

    /// Handles a message that may not reach a receiver.
    mutating func refuse() { refused += 1 }

    /// Handles a message for the receiver. `outdated` is the number of replaced messages so far.
    mutating func add(_ frame: RTCMFrame, _ bytes: Span<UInt8>, outdated: Int, at now: NIODeadline) {
        if let last, now - last > Self.pause { (watch, measured) = (ReferenceWatch(), nil) }
        (last, self.outdated) = (now, outdated)
        if let station = frame.station { self.station = station }
        if let point = ReferencePoint(frame, bytes) {
            self.point = point
            if watch.movement(to: point, of: frame.station) != nil { movedAt = now }
        }
        let (since, count) = measured ?? (now, 0)
        measured = (since, count + 1)
        guard now - since >= Self.period else { return }
        rate = Double(count) * 1e9 / Double((now - since).nanoseconds)
        measured = (now, 1)
    }
}
