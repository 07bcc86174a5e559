internal import NMEA

/// The statistics of a part of a log without a long silence or a step of its time.
package struct LogPart: Sendable {
    /// The times of the first and the last fix, by the log's clock, or `nil` if no fix has a time.
    private(set) var times: ClosedRange<Int64>?
    /// The number of fixes.
    package private(set) var fixes: UInt64 = 0
    /// The number of fixes that receivers or programs report as simulated.
    private(set) var simulated: UInt64 = 0
    private(set) var intervals = Intervals()
    private(set) var outliers = Outliers()
    private(set) var outline = Outline()
    private(set) var odometer = Odometer()
    private(set) var standStills = StandStills()
    private(set) var timeline = LogTimeline()
    private(set) var sky = SkyPaths()
    /// The extents of the whole part.
    private(set) var total = Bucket()
    /// Horizontal accuracies in millimetres.
    private(set) var accuracies = Histogram()

    mutating func add(_ fix: LogFix) {
        fixes += 1
        if fix.simulated { simulated += 1 }
        let place = SurfacePoint(latitude: fix.latitude, longitude: fix.longitude)
        if fix.isStart {
            odometer.interrupt()
            outliers.interrupt()
        }
        guard let time = fix.time else { return addUntimed(fix, place) }
        let previous = times?.upperBound
        times = min(times?.lowerBound ?? time, time)...max(previous ?? time, time)
        intervals.add(time)
        let judgement = outliers.judge(fix, at: time, place)
        guard judgement != .outlier else { return }
        let isStart = fix.isStart || judgement == .moved || isGap(from: previous, to: time)
        outline.add(Outline.Point(fix, place, isStart: isStart))
        odometer.add(place)
        standStills.add(time, place, speed: fix.speed)
        if let accuracy = fix.horizontalAccuracy, accuracy < 1e9 { accuracies.add(Int64(accuracy * 1000)) }
        record(fix, place, in: &total)
        timeline.update(at: time) { record(fix, place, in: &$0) }
    }

    /// Adds a fix without a time. It always counts, because it is not known how far the device can have moved.
    private mutating func addUntimed(_ fix: LogFix, _ place: SurfacePoint) {
        outline.add(Outline.Point(fix, place, isStart: fix.isStart))
        odometer.add(place)
        if let accuracy = fix.horizontalAccuracy, accuracy < 1e9 { accuracies.add(Int64(accuracy * 1000)) }
        record(fix, place, in: &total)
    }

    /// Adds an epoch without a fix.
    mutating func addWithoutFix(at time: Int64) {
        times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
    }

    mutating func add(_ satellites: [SatelliteInView], at time: Int64) {
        guard !satellites.isEmpty else { return }
        sky.add(satellites, at: time)
        let isAnyUsed = satellites.contains { $0.used }
        timeline.update(at: time) { bucket in
            bucket.add(.satellitesInView, Double(satellites.count))
            for satellite in satellites where satellite.used || !isAnyUsed {
                bucket.add(.signal, satellite.signalStrength)
            }
        }
        total.add(.satellitesInView, Double(satellites.count))
    }

    mutating func finish() { standStills.finish() }

    /// Returns whether the track is interrupted. The threshold for gaps is known only at the end of the log; a minute
    /// exceeds it in any case.
    private func isGap(from previous: Int64?, to time: Int64) -> Bool {
        previous.map { time - $0 > 60_000 } ?? false
    }
}

private func record(_ fix: LogFix, _ place: SurfacePoint, in bucket: inout Bucket) {
    bucket.visit(place)
    bucket.add(.speed, fix.speed)
    bucket.add(.altitude, fix.altitude)
    bucket.add(.accuracy, fix.horizontalAccuracy)
    bucket.add(.satellitesUsed, fix.satellitesUsed.map(Double.init))
}

extension Outline.Point {
    fileprivate init(_ fix: LogFix, _ place: SurfacePoint, isStart: Bool) {
        self.init(
            place: place, time: fix.time, accuracy: fix.horizontalAccuracy.map { Float($0) } ?? .nan,
            isStart: isStart)
    }
}
