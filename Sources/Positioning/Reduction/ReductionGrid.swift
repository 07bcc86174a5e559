import Glibc
internal import LocationModel

/// The cells of 5 km that a reduced location is snapped to.
///
/// There is one grid, the same on each machine: rows along the parallels, in each of them a whole number of cells
/// around the globe, and at either pole one round cell. Hidden is by how much a position is *shifted before it is
/// snapped*; the centre that is told is the one of the public cell, not shifted back. So the cell that the device is
/// really in may lie anywhere up to half a cell off the told centre, and its borders with it.
///
/// Shifted back, the centre would give the borders away at the first update: they run half a cell off it. Each change
/// of the cell then puts the device on a line that is known, and who knows how it moved since it left home (the
/// road's shape, or a step counter and a compass) narrows home down to some metres within weeks. With the shift
/// hidden, that attacker learns where home lies *in its cell*, but not where the cell is: all that is told depends on
/// the sum of position and shift only, and the shift is uniform over a whole cell.
struct ReductionGrid {
    /// One cell.
    struct Cell: Equatable, Sendable {
        /// Counted from the equator to the north.
        var row: Int
        /// Counted from Greenwich to the east, from 0 on.
        var column: Int
    }

    /// By how much positions are shifted to the north, in cells: -0.5..<0.5.
    let shiftNorth: Double
    /// By how much positions are shifted to the east, in cells of their row: -0.5..<0.5.
    ///
    /// The same in all rows. One for each row would hide the borders of the rows not seen yet, but in each row that
    /// the device passes through a new one would be drawn around the same known movement: after k of them the place
    /// is known to a k-th of a cell. That averages what must not average.
    let shiftEast: Double

    /// The row at the north pole: as many lie between the equator and a pole, counted so that 180° are a whole number
    /// of rows of at least 5 km. A degree of latitude is 110.57 km at the equator and 111.69 km at the poles (WGS
    /// 84), so a row is 5.001 to 5.052 km high.
    static let polarRow = 1990
    /// The greatest width of a cell, in metres: about the greatest height of a row. Up to 85° from the equator a cell
    /// is at least 5 km wide.
    static let width = 5050.0
    /// The greatest height of a row, in metres.
    static let height = 5052.0
    /// How far beyond the border a position leaves its cell, in cells: 300 m.
    ///
    /// Without it a device at rest on a border changes the cell with the noise of its receiver, and so says that it
    /// is on the border.
    static let margin = 0.06
    /// No position that is told as a cell is further from the told centre, in metres.
    ///
    /// To each side: half a cell, the shift of up to another half, and the margin. Of two points whose distances to
    /// the axis of the Earth are p and q, apart by the arc m along the meridian and by the angle a in longitude, the
    /// squared chord is at most m² + 4pq·sin²(a/2) ≤ m² + pq·a²; `columns(inRow:)` sees to it that √(pq)·a stays
    /// below the width. A geodesic this short is longer than its chord by less than a millimetre.
    static let reach = (1 + margin) * hypot(height, width) + 0.001

    /// Degrees.
    private static let rowHeight = 90 / Double(polarRow)
    /// A shift away from a pole by more than this, in cells, leaves so little of the polar cell that it takes in the
    /// row around it.
    private static let smallestPolarShift = -0.1

    /// The cell of a position in degrees. While it is not beyond the border of `old` by the margin, that one.
    func cell(latitude: Double, longitude: Double, staying old: Cell? = nil) -> Cell {
        let north = latitude / Self.rowHeight + shiftNorth
        if let old, isRow(old.row, at: north, margin: Self.margin) {
            let columns = Double(Self.columns(inRow: old.row))
            let east = longitude * columns / 360 + shiftEast
            // Around the globe: the first and the last cell of a row are neighbours, and a single one goes all around.
            if abs(remainder(east - Double(old.column), columns)) <= 0.5 + Self.margin { return old }
        }
        let pole = north < 0 ? -Self.polarRow : Self.polarRow
        let row = isRow(pole, at: north, margin: 0) ? pole : Int((north + 0.5).rounded(.down))
        // The width comes from the row, not from the latitude itself, which would show through the longitude.
        let columns = Self.columns(inRow: row)
        let east = longitude * Double(columns) / 360 + shiftEast
        let column = Int((east + 0.5).rounded(.down)) % columns
        return Cell(row: row, column: column < 0 ? column + columns : column)
    }

    /// Returns whether a shifted latitude, in rows, is in a row or not beyond it by a margin.
    ///
    /// The polar cell is round, with a radius of 2 to 7.1 km: 0.4 to 1.4 rows.
    private func isRow(_ row: Int, at north: Double, margin: Double) -> Bool {
        guard abs(row) == Self.polarRow else { return abs(north - Double(row)) <= 0.5 + margin }
        let (north, shift) = row < 0 ? (-north, -shiftNorth) : (north, shiftNorth)
        return north >= Double(Self.polarRow) - (shift < Self.smallestPolarShift ? 1.5 : 0.5) - margin
    }

    /// The centre that is told, in degrees.
    static func centre(of cell: Cell) -> (latitude: Double, longitude: Double) {
        let turn = 360 * Double(cell.column) / Double(columns(inRow: cell.row))
        return (Double(cell.row) * 90 / Double(polarRow), turn > 180 ? turn - 360 : turn)
    }

    /// Returns whether there is such a cell.
    static func contains(_ cell: Cell) -> Bool {
        (-polarRow...polarRow).contains(cell.row) && (0..<columns(inRow: cell.row)).contains(cell.column)
    }

    /// How many cells a row has: one at the poles, and about 7900 at the equator.
    ///
    /// Positions told as a row may lie nearer to the equator than it by a row and the margin, where its cells are
    /// wider: as wide as is allowed is the geometric mean of there and of the row's centre.
    static func columns(inRow row: Int) -> Int {
        let distance = abs(row)
        guard distance < polarRow else { return 1 }
        let told = radius(atLatitude: Double(distance) * rowHeight)
        let outermost = radius(atLatitude: max(0, Double(distance) - 1 - margin) * rowHeight)
        return Int((2 * .pi * (told * outermost).squareRoot() / width).rounded(.up))
    }

    /// Metres from the Earth's axis to the ellipsoid.
    private static func radius(atLatitude latitude: Double) -> Double {
        let ellipsoid = Ellipsoid.wgs84
        let squaredEccentricity = ellipsoid.flattening * (2 - ellipsoid.flattening)
        let sine = sin(latitude * .pi / 180)
        return ellipsoid.equatorialRadius * cos(latitude * .pi / 180)
            / (1 - squaredEccentricity * sine * sine).squareRoot()
    }
}
