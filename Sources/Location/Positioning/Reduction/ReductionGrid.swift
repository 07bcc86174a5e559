import Glibc
internal import LocationModel

/// The grid of 5 km cells that reduced locations are snapped to.
///
/// There is one grid, the same on every machine: rows along the parallels, each with a whole number of cells around the
/// globe, and one round cell at each pole. The secret is how far a position is *shifted before it is snapped*. The
/// reported centre is the centre of the public cell; it is not shifted back. So the area that contains the device, with
/// its borders, may lie up to half a cell away from the reported cell in either direction.
///
/// Attack: if the centre were shifted back, the first update would reveal the borders, half a cell from it. From then
/// on, each change of the cell would put the device on a known line. An attacker who knows how the device has moved
/// since it left home (the shape of the road, or a step counter and a compass) would narrow home down to some metres
/// within weeks. With the shift hidden, this attacker learns where home lies *within its cell*, but not where the cell
/// is: all reports depend only on the sum of position and shift, and the shift is uniform over a whole cell.
struct ReductionGrid {
    /// A cell of the grid.
    struct Cell: Equatable, Sendable {
        /// The row, counted from the equator to the north.
        var row: Int
        /// The column, counted from Greenwich to the east, starting at 0.
        var column: Int
    }

    /// The shift of positions to the north, in cells: -0.5..<0.5.
    let shiftNorth: Double
    /// The shift of positions to the east, in cells of their row: -0.5..<0.5.
    ///
    /// The shift is the same in all rows. A separate shift for each row would hide the borders of rows not seen yet.
    /// But each row that the device passes through would draw a new shift around the same known movement, so that after
    /// k rows the place would be known to a k-th of a cell. Averaging must not reveal it.
    let shiftEast: Double

    /// The number of the row at the north pole, chosen so that 180° are a whole number of rows of at least 5 km. A
    /// degree of latitude is 110.57 km at the equator and 111.69 km at the poles (WGS 84), so a row is 5.001 to 5.052
    /// km high.
    static let polarRow = 1990
    /// The greatest width of a cell, in metres: about the greatest height of a row. Up to 85° from the equator, a
    /// cell is at least 5 km wide.
    static let width = 5050.0
    /// The greatest height of a row, in metres.
    static let height = 5052.0
    /// The distance that a position has to be beyond the border to leave its cell, in cells: 300 m.
    ///
    /// Attack: without a margin, a stationary device on a border changes the cell with the noise of its receiver,
    /// and so reveals that it is on the border.
    static let margin = 0.06
    /// The greatest distance from a position to the reported centre of its cell, in metres.
    ///
    /// In each direction it is half a cell, plus the shift of up to another half, plus the margin. Let p and q be the
    /// distances of two points from the axis of the Earth, m the arc between them along the meridian and a their
    /// difference in longitude. Then the squared chord is at most m² + 4pq·sin²(a/2) ≤ m² + pq·a², and
    /// `columns(inRow:)` keeps √(pq)·a below the width. A geodesic this short is longer than its chord by less than a
    /// millimetre.
    static let reach = (1 + margin) * hypot(height, width) + 0.001

    /// The height of a row, in degrees.
    private static let rowHeight = 90 / Double(polarRow)
    /// The shift, in cells, below which the remains of a polar cell are so small that it absorbs the row around it. A
    /// negative shift is away from the pole.
    private static let smallestPolarShift = -0.1

    /// Returns the cell of a position in degrees, or `old` if the position is not beyond its border by more than
    /// the margin.
    func cell(latitude: Double, longitude: Double, staying old: Cell? = nil) -> Cell {
        let north = latitude / Self.rowHeight + shiftNorth
        if let old, isRow(old.row, at: north, margin: Self.margin) {
            let columns = Double(Self.columns(inRow: old.row))
            let east = longitude * columns / 360 + shiftEast
            // Wraps around the globe: the first and the last cell of a row are neighbours, and a single cell goes
            // all the way around.
            if abs(remainder(east - Double(old.column), columns)) <= 0.5 + Self.margin { return old }
        }
        let pole = north < 0 ? -Self.polarRow : Self.polarRow
        let row = isRow(pole, at: north, margin: 0) ? pole : Int((north + 0.5).rounded(.down))
        // The width belongs to the row. A width computed from the latitude itself would leak the latitude through the
        // longitude.
        let columns = Self.columns(inRow: row)
        let east = longitude * Double(columns) / 360 + shiftEast
        let column = Int((east + 0.5).rounded(.down)) % columns
        return Cell(row: row, column: column < 0 ? column + columns : column)
    }

    /// Returns whether a shifted latitude, in rows, is in a row or beyond it by no more than `margin`.
    ///
    /// The polar cell is round, with a radius of 2 to 7.1 km: 0.4 to 1.4 rows.
    private func isRow(_ row: Int, at north: Double, margin: Double) -> Bool {
        guard abs(row) == Self.polarRow else { return abs(north - Double(row)) <= 0.5 + margin }
        let (north, shift) = row < 0 ? (-north, -shiftNorth) : (north, shiftNorth)
        return north >= Double(Self.polarRow) - (shift < Self.smallestPolarShift ? 1.5 : 0.5) - margin
    }

    /// Returns the reported centre of a cell, in degrees.
    static func centre(of cell: Cell) -> (latitude: Double, longitude: Double) {
        let turn = 360 * Double(cell.column) / Double(columns(inRow: cell.row))
        return (Double(cell.row) * 90 / Double(polarRow), turn > 180 ? turn - 360 : turn)
    }

    /// Returns the public cell around a position in degrees, or `nil` if there is no such cell.
    static func cell(aroundCentre position: (latitude: Double, longitude: Double)) -> Cell? {
        let north = (position.latitude / rowHeight).rounded()
        guard let row = Int(exactly: north), abs(row) <= polarRow else { return nil }
        let columns = columns(inRow: row)
        guard let east = Int(exactly: (position.longitude * Double(columns) / 360).rounded()) else { return nil }
        let column = east % columns
        return Cell(row: row, column: column < 0 ? column + columns : column)
    }

    /// Returns whether the grid has this cell.
    static func contains(_ cell: Cell) -> Bool {
        (-polarRow...polarRow).contains(cell.row) && (0..<columns(inRow: cell.row)).contains(cell.column)
    }

    /// Returns the number of cells in a row: one at the poles, about 7900 at the equator.
    ///
    /// A position in a row's cell may lie one row and the margin closer to the equator than the row's centre, where
    /// the cell is wider. The geometric mean of the widths at both places does not exceed ``width``.
    static func columns(inRow row: Int) -> Int {
        let distance = abs(row)
        guard distance < polarRow else { return 1 }
        let rowRadius = radius(atLatitude: Double(distance) * rowHeight)
        let outermost = radius(atLatitude: max(0, Double(distance) - 1 - margin) * rowHeight)
        return Int((2 * .pi * (rowRadius * outermost).squareRoot() / width).rounded(.up))
    }

    /// Returns the distance from the Earth's axis to the ellipsoid, in metres.
    private static func radius(atLatitude latitude: Double) -> Double {
        let ellipsoid = Ellipsoid.wgs84
        let sine = sin(latitude * .pi / 180)
        return ellipsoid.equatorialRadius * cos(latitude * .pi / 180)
            / (1 - ellipsoid.eccentricitySquared * sine * sine).squareRoot()
    }
}
