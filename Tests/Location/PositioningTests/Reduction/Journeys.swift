import Glibc
import LocationModel

@testable import Positioning

/// All trips of a commute, as seen by an attacker who does not know the departures: the sequences of cells between
/// the home's and the office's, with the number of their occurrences. From these follows the likelihood of an assumed
/// road and grid.
struct Journeys {
    private let plane: ReductionTrial.Plane
    private let homeCell: ReductionGrid.Cell
    private let officeCell: ReductionGrid.Cell
    private var outward: [(cells: [ReductionGrid.Cell], count: Int)] = []
    private var back: [(cells: [ReductionGrid.Cell], count: Int)] = []

    init(_ commute: Commute) {
        plane = commute.plane
        homeCell = commute.homeCell
        officeCell = commute.officeCell
        for trip in commute.trips {
            let cells = between(trip.sights.map(\.cell))
            if trip.isOutward {
                Self.count(cells, in: &outward)
            } else {
                Self.count(cells, in: &back)
            }
        }
    }

    private static func count(
        _ cells: [ReductionGrid.Cell], in journeys: inout [(cells: [ReductionGrid.Cell], count: Int)]
    ) {
        if let known = journeys.firstIndex(where: { $0.cells == cells }) {
            journeys[known].count += 1
        } else {
            journeys.append((cells, 1))
        }
    }

    /// Returns the cells of the ticks, except those of the home and the office.
    private func between(_ cells: [ReductionGrid.Cell]) -> [ReductionGrid.Cell] {
        cells.filter { $0 != homeCell && $0 != officeCell }
    }

    /// Returns the logarithm of the likelihood of all trips. Departures are equally likely at every minute of a
    /// quarter of an hour.
    func likelihood(_ road: Road, _ grid: PublicGrid) -> Double {
        let duration = road.duration
        var sum = 0.0
        for (isOutward, told) in [(true, outward), (false, back)] {
            var expected: [(cells: [ReductionGrid.Cell], count: Int)] = []
            for minute in 0..<15 {
                var seconds = (Double(minute) + 0.5) * 60
                var cell = isOutward ? homeCell : officeCell
                var cells: [ReductionGrid.Cell] = []
                while seconds < duration + 900 {
                    let (latitude, longitude) = plane.place(road.point(isOutward ? seconds : duration - seconds))
                    cell = grid.cell(latitude: latitude, longitude: longitude, staying: cell)
                    cells.append(cell)
                    seconds += 900
                }
                // A hypothesis that ends in another cell than the one delivered is wrong.
                if cell == (isOutward ? officeCell : homeCell) { Self.count(between(cells), in: &expected) }
            }
            for journey in told {
                let share = Double(expected.first { $0.cells == journey.cells }?.count ?? 0) / 15
                // Hypotheses are coarse: a sequence that one does not predict is unlikely, but not impossible.
                sum += Double(journey.count) * log(0.97 * share + 0.005)
            }
        }
        return sum
    }
}
