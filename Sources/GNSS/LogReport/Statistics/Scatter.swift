/// The distribution of many points in bounded memory: a grid with cells that are doubled in size when there are too
/// many. Each cell keeps the mean of its points.
struct Scatter: Sendable {
    /// The maximum number of cells.
    static let maximumCells = 16_384

    private struct Cell {
        var count: UInt32 = 0
        var sum = SIMD2<Double>.zero

        mutating func add(_ sum: SIMD2<Double>, _ count: UInt32) {
            self.sum += sum
            self.count &+= count
        }
    }

    /// The width of a cell, in metres. The initial width is finer than the resolution of receivers.
    private(set) var cellWidth = 0.001
    private(set) var count: UInt64 = 0
    private(set) var sum = SIMD2<Double>.zero
    private var cells: [SIMD2<Int32>: Cell] = [:]

    /// Adds a point, in metres within a few kilometres of the origin.
    mutating func add(_ point: SIMD2<Double>) {
        count += 1
        sum += point
        cells[key(of: point), default: Cell()].add(point, 1)
        if cells.count > Self.maximumCells { coarsen() }
    }

    mutating func removeAll() {
        if count > 0 { self = Scatter() }
    }

    var mean: SIMD2<Double> { count > 0 ? sum / Double(count) : .zero }

    /// Returns the radii around the mean that contain these shares of the points, in metres. They are off by at most
    /// the diagonal of a cell, and by far less if a cell has many points.
    func radii(_ shares: [Double]) -> [Double] {
        let mean = mean
        let rings = cells.values.map { cell in
            let offset = cell.sum / Double(cell.count) - mean
            return (radius: (offset * offset).sum().squareRoot(), count: cell.count)
        }.sorted { $0.radius < $1.radius }
        return shares.map { share in
            let wanted = (share * Double(count)).rounded(.up)
            var sum = 0.0
            return rings.first { ring in
                sum += Double(ring.count)
                return sum >= wanted
            }?.radius ?? 0
        }
    }

    private func key(of point: SIMD2<Double>) -> SIMD2<Int32> {
        let scaled = (point / cellWidth).rounded(.down)
        return SIMD2(Int32(clamping: Int64(scaled.x)), Int32(clamping: Int64(scaled.y)))
    }

    private mutating func coarsen() {
        let old = cells
        cells = [:]
        cellWidth *= 2
        for cell in old.values {
            cells[key(of: cell.sum / Double(cell.count)), default: Cell()].add(cell.sum, cell.count)
        }
    }
}
