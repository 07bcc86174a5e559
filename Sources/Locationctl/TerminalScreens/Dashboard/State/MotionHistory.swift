internal import Glibc
internal import LocationModel

/// The accuracy and the motion of the last minutes. At most 1,201 samples are kept.
struct MotionHistory: Equatable {
    /// The period that is kept, in seconds.
    static let span = 300.0
    /// The shortest span of three samples, in seconds.
    private static let leastInterval = 0.5

    /// A location at a time on a clock that never goes back, in seconds.
    struct Sample: Equatable {
        var time: Double
        var location: Location
    }

    private(set) var samples: [Sample] = []

    mutating func add(_ location: Location, at time: Double) {
        // The last sample but one is compared: otherwise a fast receiver would replace its own sample forever.
        if samples.count > 1, time - samples[samples.count - 2].time < Self.leastInterval { samples.removeLast() }
        samples.append(Sample(time: time, location: location))
        let expired = samples.firstIndex { time - $0.time <= Self.span } ?? 0
        samples.removeFirst(expired)
    }

    /// Returns the mean values in `count` parts of the period up to the newest sample, oldest part first. The parts
    /// begin at fixed times, so that a picture of them moves by whole parts.
    func means(_ count: Int, _ value: (Location) -> Double?) -> [Double?] {
        parts(count) { locations in
            let known = locations.compactMap(value)
            return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
        }
    }

    /// Returns the mean direction of each part, in degrees below 360.
    func directions(_ count: Int, _ value: (Location) -> Double?) -> [Double?] {
        parts(count) { locations in
            let angles = locations.compactMap(value).map { $0 * .pi / 180 }
            guard !angles.isEmpty else { return nil }
            let degrees = atan2(angles.map { sin($0) }.reduce(0, +), angles.map { cos($0) }.reduce(0, +)) * 180 / .pi
            return degrees < 0 ? degrees + 360 : degrees
        }
    }

    private func parts(_ count: Int, _ summary: ([Location]) -> Double?) -> [Double?] {
        guard count > 0, let newest = samples.last else { return Array(repeating: nil, count: max(0, count)) }
        let length = Self.span / Double(count)
        let last = Int(newest.time / length)
        var parts = [[Location]](repeating: [], count: count)
        for sample in samples {
            let part = count - 1 - (last - Int(sample.time / length))
            if parts.indices.contains(part) { parts[part].append(sample.location) }
        }
        return parts.map(summary)
    }
}
