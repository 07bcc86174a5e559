internal import Glibc
internal import LocationModel
internal import LocationProtocol

/// The sky above the receiver: north at the top, the zenith in the middle, the horizon around it.
///
/// A satellite is the letter of its constellation as in RINEX, in upper case if the fix uses it.
enum TerminalSkyPlot {
    /// Returns the width of a plot with that many rows; a row is twice as high as a column is wide.
    static func width(rows: Int) -> Int { 2 * max(3, rows) - 1 }

    static func rows(_ context: ScreenContext, width: Int, rows: Int) -> [TextRow] {
        let title = context.title("SKY", width: width)
        let height = rows - 1
        var cells = [[Cell]](repeating: Array(repeating: Cell(), count: width), count: height)
        func set(_ elevation: Double, _ azimuth: Double, _ cell: Cell) {
            let distance = (90 - max(0, min(90, elevation))) / 90
            let angle = azimuth * .pi / 180
            let x = Double(width - 1) / 2 * (1 + distance * sin(angle))
            let y = Double(height - 1) / 2 * (1 - distance * cos(angle))
            cells[Int(y.rounded())][Int(x.rounded())] = cell
        }
        for azimuth in stride(from: 0.0, to: 360, by: 5) {
            set(0, azimuth, Cell(character: context.glyphs.horizon, style: .hint))
        }
        set(90, 0, Cell(character: context.glyphs.zenith, style: .hint))
        for satellite in SatelliteGroups.shown(context.state).sorted(by: { !$0.used && $1.used }) {
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth, elevation.isFinite,
                azimuth.isFinite
            else { continue }
            let letter = SatelliteGroups.letter(of: satellite.constellation)
            set(
                elevation, azimuth,
                Cell(
                    character: satellite.used ? letter : Character(letter.lowercased()),
                    style: .satellite(satellite.constellation, isUsed: satellite.used)))
        }
        set(0, 0, Cell(character: "N", style: .title))
        return [title]
            + cells.map { cells in
                cells.reduce(into: TextRow()) { $0.append(String($1.character), $1.style) }
            }
    }

    private struct Cell {
        var character: Character = " "
        var style = TextRow.Style.plain
    }
}
