internal import LocationModel
package import Positioning

/// The visits of each user's apps, as far back as they are kept.
package final class VisitLog {
    /// How long visits are kept, in seconds.
    static let retention: Int64 = 30 * 86_400

    private var visits: [UInt32: [Visit]] = [:]

    init(_ records: [VisitRecord]) {
        for record in records { self.record(record) }
    }

    /// The last visit, if it lasts.
    var current: Visit? {
        guard let last = visits.values.joined().max(by: { $0.arrival < $1.arrival }), last.departure == nil else {
            return nil
        }
        return last
    }

    /// Adds a visit, or what has become of one.
    func record(_ record: VisitRecord) {
        visits[record.uid, default: []].removeAll { $0.arrival == record.visit.arrival }
        visits[record.uid, default: []].append(record.visit)
    }

    /// Forgets a user's.
    func clear(_ uid: UInt32) {
        visits[uid] = nil
    }

    /// The places that a user's apps saw visits at.
    package func places(of uid: UInt32) -> [SignificantPlace] { SignificantPlace.places(of: visits[uid] ?? []) }

    /// Forgets what is older than it is kept; returns the moment up to which that is.
    func prune(at now: Timestamp) -> Timestamp {
        let limit = Timestamp(millisecondsSince1970: now.millisecondsSince1970 - Self.retention * 1000)
        visits = visits.mapValues { $0.filter { $0.arrival >= limit } }
        return limit
    }
}
