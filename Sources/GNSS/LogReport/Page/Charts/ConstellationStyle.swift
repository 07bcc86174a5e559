internal import NMEA

/// The distinguishing marks of a constellation: a colour of M. Okabe and K. Ito's palette for all kinds of colour
/// vision (see page.css), a shape, and RINEX's letter.
struct ConstellationStyle {
    let name: String
    let title: String
    let letter: String
    /// The path of the mark around its centre.
    private let shape: String

    init(_ constellation: Constellation) {
        let square = "m-3 -3h6v6h-6z"
        let diamond = "m0 -4l4 4l-4 4l-4 -4z"
        let triangle = "m0 -4l3.8 6.8h-7.6z"
        let circle = "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z"
        let inverted = "m0 4l3.8 -6.8h-7.6z"
        let hexagon = "m-3.6 0l1.8 -3.1h3.6l1.8 3.1l-1.8 3.1h-3.6z"
        let star = "m0 -4l1.2 2.8l2.8 1.2l-2.8 1.2l-1.2 2.8l-1.2 -2.8l-2.8 -1.2l2.8 -1.2z"
        (name, title, letter, shape) =
            switch constellation {
            case .gps: ("gps", "GPS", "G", circle)
            case .sbas: ("sbas", "SBAS", "S", star)
            case .glonass: ("glonass", "GLONASS", "R", square)
            case .galileo: ("galileo", "Galileo", "E", triangle)
            case .beidou: ("beidou", "BeiDou", "C", diamond)
            case .qzss: ("qzss", "QZSS", "J", inverted)
            case .navic: ("navic", "NavIC", "I", hexagon)
            }
    }

    func mark(at offset: Offset) -> String {
        "<path class=\"sat\" d=\"M\(SkyPlot.tenths(offset.east)) \(SkyPlot.tenths(-offset.north))\(shape)\"/>"
    }
}
