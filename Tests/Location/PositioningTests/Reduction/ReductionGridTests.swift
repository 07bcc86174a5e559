import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct ReductionGridTests {
    private typealias Place = (latitude: Double, longitude: Double)

    private static let shifts = [
        (0.0, 0.0), (-0.5, -0.5), (-0.1, 0.4999999), (0.1, -0.5), (0.4999999, 0.4999999),
    ]

    /// Attack: a position outside the delivered circle would reveal that rule 3 does not hold there. Tries the
    /// corners of cells, with their margins, for the greatest shifts, in each row near the poles and the equator and
    /// in some rows between.
    @Test func noCornerIsOutOfReach() {
        var greatest = 0.0
        let rows = Array(0...40) + stride(from: 41, to: 1900, by: 53) + Array(1900...ReductionGrid.polarRow)
        for (north, east) in Self.shifts {
            for row in rows + rows.map({ -$0 }) {
                let columns = Double(ReductionGrid.columns(inRow: row))
                let column = Int(columns / 3)
                let cell = ReductionGrid.Cell(row: row, column: column)
                let centre = ReductionGrid.centre(of: cell)
                let side = 0.5 + ReductionGrid.margin
                for (up, right) in [(-side, -side), (-side, side), (side, -side), (side, side), (side, 0), (-side, 0)] {
                    let latitude = (Double(row) - north + up) * 90 / Double(ReductionGrid.polarRow)
                    let longitude = remainder((Double(column) - east + right) * 360 / columns, 360)
                    guard abs(latitude) <= 90 else { continue }
                    greatest = max(greatest, ReductionTrial.metres(centre, (latitude, longitude)))
                }
            }
        }
        // From each pole, until the polar cell is left.
        for shift in stride(from: -0.5, to: 0.5, by: 0.01) {
            let grid = ReductionGrid(shiftNorth: shift, shiftEast: 0)
            for pole in [-90.0, 90] {
                let cell = grid.cell(latitude: pole, longitude: 0)
                var latitude = pole
                while grid.cell(latitude: latitude, longitude: 77, staying: cell) == cell {
                    greatest = max(greatest, ReductionTrial.metres((pole, 0), (latitude, 77)))
                    latitude *= 1 - 1e-6
                }
                #expect(ReductionTrial.metres((pole, 0), (latitude, 77)) > 2000)
            }
        }
        #expect(greatest <= ReductionGrid.reach)
        #expect(greatest > 0.99 * ReductionGrid.reach)
        let delay = LateFixes.clockToleranceSeconds * AccuracyReducer.greatestSpeed
        #expect(
            ReductionGrid.reach + delay + 5 * AccuracyReducer.worstAccuracy <= AccuracyReducer.horizontalAccuracy)
        print("grid: the farthest corner is \(ReductionTrial.kilometres(greatest)) from the told centre")
    }

    @Test func cellsHaveFiveKilometres() {
        for row in stride(from: 0, through: 1880, by: 7) {
            let cell = ReductionGrid.Cell(row: row, column: 1)
            let centre = ReductionGrid.centre(of: cell)
            let east = ReductionGrid.centre(of: ReductionGrid.Cell(row: row, column: 2))
            let north = ReductionGrid.centre(of: ReductionGrid.Cell(row: row + 1, column: 1))
            #expect((5000...5051).contains(ReductionTrial.metres(centre, east)), "row \(row)")
            let height = ReductionTrial.metres(centre, (north.latitude, centre.longitude))
            #expect((5000...ReductionGrid.height).contains(height), "row \(row)")
        }
        #expect(ReductionGrid.columns(inRow: -1990) == 1)
        #expect(ReductionGrid.columns(inRow: 1989) < 12)
    }

    /// The delivered longitude depends on row and column only. If the cell's width depended on the true latitude, the
    /// longitude would reveal it.
    @Test func aCellHasOneCentre() {
        var chance = SeededRandom(seed: 5)
        let grid = ReductionGrid(shiftNorth: 0.2, shiftEast: -0.3)
        for _ in 0..<2000 {
            let cell = grid.cell(latitude: chance.between(-90, 90), longitude: chance.between(-180, 180))
            #expect(ReductionGrid.contains(cell))
            // The centre, moved back by the shift, is in the cell.
            let centre = ReductionGrid.centre(of: cell)
            let columns = Double(ReductionGrid.columns(inRow: cell.row))
            let latitude = centre.latitude - 0.2 * 90 / Double(ReductionGrid.polarRow)
            let longitude = remainder(centre.longitude + 0.3 * 360 / columns, 360)
            #expect(grid.cell(latitude: latitude, longitude: longitude) == cell)
            #expect((-90...90).contains(centre.latitude) && (-180...180).contains(centre.longitude))
        }
    }

    /// Walks around both poles, over them, and along the 180th meridian and the equator. In steps of 100 m, the cell
    /// changes to a neighbour only, and about as often as cells fit into the distance.
    @Test(arguments: 0..<5)
    func walksAtTheEndsOfTheMap(shift: Int) {
        let grid = ReductionGrid(shiftNorth: Self.shifts[shift].0, shiftEast: Self.shifts[shift].1)
        let step = 100 / 111_200.0
        func around(_ latitude: Double) -> [Place] {
            let radius = cos(latitude * .pi / 180)
            return stride(from: -180.0, to: 540, by: step / radius).map { (latitude, remainder($0, 360)) }
        }
        var walks: [[Place]] = []
        for kilometres in [0.01, 0.5, 2.1, 3, 8, 14, 30] {
            walks.append(around(90 - kilometres / 111.2))
            walks.append(around(kilometres / 111.2 - 90))
        }
        for pole in [-1.0, 1] {
            walks.append(
                stride(from: -0.5, to: 0.5, by: step).map { (pole * (90 - abs($0)), $0 < 0 ? -179.99999 : 0.00001) })
        }
        walks.append(stride(from: -0.5, to: 0.5, by: step).map { (52 + $0 / 3, remainder(180 + $0, 360)) })
        walks.append(stride(from: -0.5, to: 0.5, by: step).map { ($0, remainder(180 - $0 / 2, 360)) })
        for walk in walks {
            var cell = grid.cell(latitude: walk[0].latitude, longitude: walk[0].longitude)
            var changes = 0
            for place in walk {
                let next = grid.cell(latitude: place.latitude, longitude: place.longitude, staying: cell)
                let centre = ReductionGrid.centre(of: next)
                #expect(ReductionTrial.metres(centre, place) <= ReductionGrid.reach)
                if next != cell {
                    changes += 1
                    // The polar cell may include the row around it.
                    let isPolar = max(abs(next.row), abs(cell.row)) == ReductionGrid.polarRow
                    #expect(abs(next.row - cell.row) <= (isPolar ? 2 : 1))
                    // Neighbours touch, and each lies within reach of its centre.
                    #expect(ReductionTrial.metres(centre, ReductionGrid.centre(of: cell)) <= 2 * ReductionGrid.reach)
                }
                cell = next
            }
            // Beside a pole, cells are narrower than they are high, but no walk changes cells more than once in 1.3
            // km.
            #expect(changes <= walk.count / 13 + 2)
        }
    }
}
