import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// A model of the access points along a journey, and of a device that scans for them as NetworkManager does.
///
/// While the device is not connected, the scans are 3 s apart, and the distance grows by half to 120 s; a connection
/// that is lost begins anew. While it is connected, nothing scans.
struct RadioModel {
    struct AccessPoint {
        let id: UInt64
        let place: Journey.Point
        /// The distance at which half of the scans miss it, in metres. DejaVu assumes 65 m as typical.
        var range = 60.0
        /// A Boolean value indicating whether the device connects to it, and its journey takes it along.
        var isOwn = false
        var travels: ClosedRange<Double>?
    }

    private(set) var points: [AccessPoint]
    private var random: SeededRandom
    private var scanInterval = 3.0
    private(set) var nextScan = 0.0
    private(set) var connection: UInt64?

    init(_ points: [AccessPoint], seed: UInt64) {
        self.points = points
        random = SeededRandom(seed: seed &+ 77)
    }

    /// Returns the quality of the signal of an access point: 1 beside it, a third at its range, and 0 at 1.5 times
    /// that.
    private func quality(_ point: AccessPoint, at place: Journey.Point, _ now: Double) -> Double {
        if let travels = point.travels { return travels.contains(now) ? 0.9 : 0 }
        return max(0, 1 - point.place.distance(to: place) / (1.5 * point.range))
    }

    /// Returns the report at `now`, or `nil` if nothing is reported. To be called each second.
    mutating func report(at place: Journey.Point, _ now: Double) -> SurroundingsReport? {
        var isChanged = false
        if let own = connection, let point = points.first(where: { $0.id == own }),
            quality(point, at: place, now) < 0.15
        {
            (connection, isChanged, scanInterval, nextScan) = (nil, true, 3, now + 3)
        }
        guard connection == nil, now >= nextScan else {
            return isChanged ? SurroundingsReport(links: links) : nil
        }
        scanInterval = min(120, scanInterval * 1.5)
        nextScan = now + scanInterval
        var heard: [SurroundingsReport.Emitter] = []
        for point in points {
            let quality = quality(point, at: place, now)
            guard quality > 0, random.unit() < min(0.97, 1.5 * quality) else { continue }
            heard.append(.init(id: point.id, strength: min(1, max(0.05, quality + random.number(in: -0.1...0.1)))))
            if point.isOwn, quality > 0.3 { connection = point.id }
        }
        return SurroundingsReport(scan: heard, links: links)
    }

    private var links: Set<UInt64> { connection.map { [$0] } ?? [] }
}
