internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The sky above the receiver: north at the top, the zenith in the middle, the horizon around it.
///
/// A satellite is the letter of its constellation as in RINEX, in upper case if the fix uses it; in a large window, its
/// number follows the letter.
enum TerminalSkyPlot {
    /// Returns the width of a plot with `rows` rows. A row is twice as high as a column is wide.
    static func width(rows: Int) -> Int { 2 * max(3, rows) - 1 }

    static func rows(_ context: ScreenContext, width: Int, rows: Int) -> [TextRow] {
        // Translators: Title of a panel: the satellites in the sky. Keep it short.
        let title = context.title(translated("SKY"), width: width)
        let height = rows - 1
        var cells = [[Cell]](repeating: Array(repeating: Cell(), count: width), count: height)
        func place(_ elevation: Double, _ azimuth: Double) -> (x: Int, y: Int) {
            let distance = (90 - max(0, min(90, elevation))) / 90
            let angle = azimuth * .pi / 180
            let x = Double(width - 1) / 2 * (1 + distance * sin(angle))
            let y = Double(height - 1) / 2 * (1 - distance * cos(angle))
            return (Int(x.rounded()), Int(y.rounded()))
        }
        for azimuth in stride(from: 0.0, to: 360, by: 5) {
            let horizon = place(0, azimuth)
            cells[horizon.y][horizon.x] = Cell(character: context.glyphs.horizon, style: .hint)
        }
        let zenith = place(90, 0)
        cells[zenith.y][zenith.x] = Cell(character: context.glyphs.zenith, style: .hint)
        var seen: [(satellite: Satellite, x: Int, y: Int)] = []
        for satellite in SatelliteGroups.shown(context.state).sorted(by: { !$0.used && $1.used }) {
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth, elevation.isFinite,
                azimuth.isFinite
            else { continue }
            let style = TextRow.Style.satellite(satellite.constellation, isUsed: satellite.used)
            let (x, y) = place(elevation, azimuth)
            cells[y][x] = Cell(character: SatelliteGroups.mark(of: satellite), style: style)
            seen.append((satellite, x, y))
        }
        let north = place(0, 0)
        cells[north.y][north.x] = Cell(character: "N", style: .title)
        if context.isLarge {
            for (satellite, x, y) in seen.reversed() { number(satellite, x, in: &cells[y]) }
        }
        return [title]
            + cells.map { cells in
                cells.reduce(into: TextRow()) { $0.append(String($1.character), $1.style) }
            }
    }

    /// Writes the number of a satellite after its letter, if it covers nothing but the horizon.
    private static func number(_ satellite: Satellite, _ x: Int, in line: inout [Cell]) {
        let digits = SatelliteGroups.name(of: satellite).dropFirst()
        let columns = x + 1..<x + 1 + digits.count
        // A blank after the number separates it from the next letter.
        guard columns.upperBound <= line.count,
            line[columns.lowerBound..<min(line.count, columns.upperBound + 1)].allSatisfy({
                $0.style == .hint || $0.character == " "
            })
        else { return }
        for (column, digit) in zip(columns, digits) {
            line[column] = Cell(character: digit, style: line[x].style)
        }
    }

    private struct Cell {
        var character: Character = " "
        var style = TextRow.Style.plain
    }
}
