internal import Glibc
internal import NMEA

/// The way of each satellite across the sky, and the quality of its reception, in bounded memory.
struct SkyPaths: Sendable {
    /// A direction in the sky, in degrees.
    struct Point: Sendable, Equatable {
        var azimuth: Int
        var elevation: Int
        /// A Boolean value indicating whether the satellite has risen again since the previous point.
        var isStart: Bool
    }

    /// A satellite's way.
    struct Path: Sendable {
        /// The maximum number of points. The latest ones are kept; they suffice for a pass from horizon to horizon.
        static let maximumPoints = 96
        /// The least distance between points, in radii of the plot: slightly less than three degrees.
        static let leastStep = 0.033
        /// The time out of view that interrupts a path, in milliseconds.
        static let longestAbsence: Int64 = 600_000
        /// The distance on the plot that exceeds a satellite's movement in that time, in radii of the plot.
        static let longestStep = 0.25

        let constellation: Constellation
        let number: Int
        private(set) var points: [Point] = []
        private(set) var latest: Point?
        /// The number of times that the satellite was seen, and the number of times that it was used.
        private(set) var seen: UInt64 = 0
        private(set) var used: UInt64 = 0
        /// The signal strength in dB-Hz.
        private(set) var signal = Extent()
        private var lastSeen: Int64 = 0

        fileprivate init(_ satellite: SatelliteInView) {
            constellation = satellite.constellation
            number = satellite.number
        }

        fileprivate mutating func add(_ satellite: SatelliteInView, at time: Int64) {
            seen += 1
            if satellite.used { used += 1 }
            if let strength = satellite.signalStrength { signal.add(strength) }
            guard let azimuth = satellite.azimuth, let elevation = satellite.elevation, elevation >= 0,
                // Receivers send zeros before they know the direction.
                azimuth != 0 || elevation != 0
            else { return }
            var point = Point(azimuth: azimuth, elevation: elevation, isStart: false)
            let isContinued = latest.map { $0.distance(to: point) < Self.longestStep } ?? false
            point.isStart = !isContinued || time - lastSeen > Self.longestAbsence
            lastSeen = time
            guard point != latest else { return }
            latest = point
            if !point.isStart, let last = points.last, last.distance(to: point) < Self.leastStep { return }
            points.append(point)
            guard points.count > Self.maximumPoints else { return }
            points.removeFirst(Self.maximumPoints / 4)
            points[0].isStart = true
        }
    }

    private var paths: [UInt16: Path] = [:]

    /// The satellites by constellation and number.
    var satellites: [Path] { paths.sorted { $0.key < $1.key }.map(\.value) }

    mutating func add(_ satellites: [SatelliteInView], at time: Int64) {
        for satellite in satellites {
            let key = UInt16(satellite.constellation.rawValue) << 8 | UInt16(truncatingIfNeeded: satellite.number)
            paths[key, default: Path(satellite)].add(satellite, at: time)
        }
    }
}

extension SkyPaths.Point {
    /// The point in a plot with a radius of 1. The zenith is its centre, and north is up.
    var inPlot: Offset {
        let radius = Double(90 - elevation) / 90
        let angle = Double(azimuth) * .pi / 180
        return Offset(east: radius * sin(angle), north: radius * cos(angle))
    }

    fileprivate func distance(to other: SkyPaths.Point) -> Double { (inPlot - other.inPlot).length }
}
