internal import LocationModel
package import Positioning

/// The visits of each user's apps, within the retention period.
package final class VisitLog {
    /// The time that visits are kept, in seconds.
    static let retention: Int64 = 30 * 86_400

    private var visits: [UInt32: [Visit]] = [:]

    init(_ records: [VisitRecord]) {
        for record in records { self.record(record) }
    }

    /// The last visit, or `nil` if it has ended or there is none.
    var current: Visit? {
        guard let last = visits.values.joined().max(by: { $0.arrival < $1.arrival }), last.departure == nil else {
            return nil
        }
        return last
    }

    /// Returns the users with an open visit that began at `arrival`.
    func users(withOpenVisitSince arrival: Timestamp) -> [UInt32] {
        visits.filter { $0.value.contains { $0.arrival == arrival && $0.departure == nil } }.map(\.key)
    }

    /// Adds a visit, or replaces it if it is known.
    func record(_ record: VisitRecord) {
        visits[record.uid, default: []].removeAll { $0.arrival == record.visit.arrival }
        visits[record.uid, default: []].append(record.visit)
    }

    /// Forgets the visits of a user.
    func clear(_ uid: UInt32) {
        visits[uid] = nil
    }

    /// Returns the places of the visits that a user's apps have received.
    package func places(of uid: UInt32) -> [SignificantPlace] { SignificantPlace.places(of: visits[uid] ?? []) }

    /// Forgets visits that are older than the retention period. Returns the start of that period.
    func prune(at now: Timestamp) -> Timestamp {
        let limit = now.adding(milliseconds: -Self.retention * 1000)
        visits = visits.mapValues { $0.filter { $0.arrival >= limit } }
        return limit
    }
}
