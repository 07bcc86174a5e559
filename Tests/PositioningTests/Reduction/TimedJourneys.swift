import Glibc
import LocationModel

@testable import Positioning

/// All trips of a commute as somebody sees them who chose the moments, but does not know when the trips began; and how
/// likely a supposed road and grid make just that.
struct TimedJourneys {
    /// What was told from the last moment at the one end to the first at the other.
    private struct Journey {
        let isOutward: Bool
        var sights: [(moment: Double, cell: ReductionGrid.Cell)] = []
    }

    private let plane: ReductionTrial.Plane
    private let homeCell: ReductionGrid.Cell
    private let officeCell: ReductionGrid.Cell
    private var journeys: [Journey] = []

    /// Seconds between two departures that are tried.
    private static let step = 120.0
    /// How many of them there are: a departure is as likely at one minute of two hours as at another.
    private static let departures = 60.0

    init(_ commute: Commute) {
        plane = commute.plane
        homeCell = commute.homeCell
        officeCell = commute.officeCell
        for trip in commute.trips {
            let (start, end) = trip.isOutward ? (homeCell, officeCell) : (officeCell, homeCell)
            var journey = Journey(isOutward: trip.isOutward)
            for sight in trip.sights {
                if sight.cell == start { journey.sights.removeAll() }
                journey.sights.append((sight.moment, sight.cell))
                if sight.cell == end { break }
            }
            journeys.append(journey)
        }
    }

    /// The logarithm of the likelihood of all trips.
    func likelihood(_ road: Road, _ grid: PublicGrid) -> Double {
        let duration = road.duration
        var sum = 0.0
        for journey in journeys {
            guard let first = journey.sights.first, let last = journey.sights.last else { continue }
            var hits = 0.0
            // The device left before the last moment at which it was told away from there, and not a trip before the
            // first one.
            var departure = first.moment - duration
            while departure < last.moment {
                if isTold(journey, departure, road, duration, grid) { hits += 1 }
                departure += Self.step
            }
            // Hypotheses are coarse: what one does not foresee is unlikely, not impossible.
            sum += log(0.97 * hits / Self.departures + 0.005 / 8)
        }
        return sum
    }

    /// Whether a departure at that moment makes what was told.
    private func isTold(
        _ journey: Journey, _ departure: Double, _ road: Road, _ duration: Double, _ grid: PublicGrid
    ) -> Bool {
        var cell = journey.isOutward ? homeCell : officeCell
        for sight in journey.sights {
            let seconds = sight.moment - departure
            let (latitude, longitude) = plane.place(road.point(journey.isOutward ? seconds : duration - seconds))
            cell = grid.cell(latitude: latitude, longitude: longitude, staying: cell)
            if cell != sight.cell { return false }
        }
        return true
    }
}
