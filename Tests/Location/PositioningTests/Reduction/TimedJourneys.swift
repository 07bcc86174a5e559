import Glibc
import LocationModel

@testable import Positioning

/// All trips of a commute, as seen by an attacker who chose the moments but does not know the departures. From these
/// follows the likelihood of an assumed road and grid.
struct TimedJourneys {
    /// The cells received from the last moment at one end to the first at the other.
    private struct Journey {
        let isOutward: Bool
        private(set) var sights: [(moment: Double, cell: ReductionGrid.Cell)] = []
        /// The moment when the device has left. From one moment to the next its cell changed, so it was not at the same
        /// end at both.
        private(set) var hasLeftBy = Double.infinity
        /// The moment when the device has not arrived yet, for the same reason.
        private(set) var isUnderWayAt = -Double.infinity

        init(isOutward: Bool) { self.isOutward = isOutward }

        mutating func append(_ moment: Double, _ cell: ReductionGrid.Cell) {
            if let last = sights.last, last.cell != cell {
                hasLeftBy = min(hasLeftBy, moment)
                isUnderWayAt = last.moment
            }
            sights.append((moment, cell))
        }
    }

    private let plane: ReductionTrial.Plane
    private let homeCell: ReductionGrid.Cell
    private let officeCell: ReductionGrid.Cell
    private var journeys: [Journey] = []

    /// The seconds between two departures that are tried.
    private static let step = 120.0
    /// The number of departures that are tried. They are equally likely at every minute of two hours.
    private static let departures = 60.0

    init(_ commute: Commute) {
        plane = commute.plane
        homeCell = commute.homeCell
        officeCell = commute.officeCell
        for trip in commute.trips {
            let (start, end) = trip.isOutward ? (homeCell, officeCell) : (officeCell, homeCell)
            var journey = Journey(isOutward: trip.isOutward)
            for sight in trip.sights {
                if sight.cell == start { journey = Journey(isOutward: trip.isOutward) }
                journey.append(sight.moment, sight.cell)
                if sight.cell == end { break }
            }
            journeys.append(journey)
        }
    }

    /// Returns the logarithm of the likelihood of all trips.
    func likelihood(_ road: Road, _ grid: PublicGrid) -> Double {
        let duration = road.duration
        var sum = 0.0
        for journey in journeys {
            guard let first = journey.sights.first, let last = journey.sights.last else { continue }
            var hits = 0.0
            // The device left before the last moment, when it was seen elsewhere, and at most the duration of a trip
            // before the first one.
            var departure = first.moment - duration
            while departure < last.moment, departure < journey.hasLeftBy {
                if departure + duration > journey.isUnderWayAt,
                    isTold(journey, departure, road, duration, grid)
                {
                    hits += 1
                }
                departure += Self.step
            }
            // Hypotheses are coarse: a sequence that one does not predict is unlikely, but not impossible.
            sum += log(0.97 * hits / Self.departures + 0.005 / 8)
        }
        return sum
    }

    /// Returns whether a departure at that moment explains the cells that were received.
    private func isTold(
        _ journey: Journey, _ departure: Double, _ road: Road, _ duration: Double, _ grid: PublicGrid
    ) -> Bool {
        var cell = journey.isOutward ? homeCell : officeCell
        var index = 0
        while index < journey.sights.count {
            let sight = journey.sights[index]
            index += 1
            let seconds = sight.moment - departure
            let (latitude, longitude) = plane.place(road.point(journey.isOutward ? seconds : duration - seconds))
            cell = grid.cell(latitude: latitude, longitude: longitude, staying: cell)
            if cell != sight.cell { return false }
        }
        return true
    }
}
