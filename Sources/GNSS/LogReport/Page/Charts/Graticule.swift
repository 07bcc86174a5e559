internal import Glibc

/// Parallels and meridians over a map, with their figures at the left and lower edges.
struct Graticule {
    /// A figure at an edge.
    struct Figure {
        var degrees: Double
        /// The distance from the upper or left end of the edge, as a share of its length.
        var share: Double
    }

    /// The number of computed coordinates along an edge, with straight lines between them.
    private static let samples = 32
    /// The share of an edge at both ends where a figure would be next to another edge.
    private static let margin = 0.03

    private(set) var latitudes: [Figure] = []
    private(set) var longitudes: [Figure] = []
    /// The lines between the edges, as shares of width and height.
    private(set) var lines: [(x1: Double, y1: Double, x2: Double, y2: Double)] = []
    /// The number of digits after the decimal point of the figures.
    private(set) var latitudeDigits = 0
    private(set) var longitudeDigits = 0

    /// Creates the graticule of a map.
    ///
    /// - Parameter place: Returns latitude and longitude, in degrees, at shares of the map's width and height from its
    ///   upper left corner.
    init(place: (_ x: Double, _ y: Double) -> (latitude: Double, longitude: Double)) {
        let shares = (0...Self.samples).map { Double($0) / Double(Self.samples) }
        let left = shares.map { place(0, $0).latitude }
        let right = shares.map { place(1, $0).latitude }
        let bottom = Self.unwrapped(shares.map { place($0, 1).longitude })
        let top = Self.unwrapped(shares.map { place($0, 0).longitude })
        let latitudeStep = Self.step(left)
        let longitudeStep = Self.step(bottom)
        latitudeDigits = Self.digits(latitudeStep)
        longitudeDigits = Self.digits(longitudeStep)
        latitudes = Self.crossings(left, latitudeStep)
        longitudes = Self.crossings(bottom, longitudeStep).map {
            Figure(degrees: remainder($0.degrees, 360), share: $0.share)
        }
        let others = Self.crossings(right, latitudeStep)
        for (a, b) in Self.pairs(latitudes, others) { lines.append((0, a, 1, b)) }
        let upper = Self.crossings(top, longitudeStep).map {
            Figure(degrees: remainder($0.degrees, 360), share: $0.share)
        }
        for (a, b) in Self.pairs(upper, longitudes) { lines.append((a, 0, b, 1)) }
        latitudes.removeAll { $0.share < Self.margin || $0.share > 1 - Self.margin }
        longitudes.removeAll { $0.share < Self.margin || $0.share > 1 - Self.margin }
    }

    /// Returns a step that gives two to six figures along an edge with these coordinates.
    private static func step(_ values: [Double]) -> Double {
        let span = values.max()! - values.min()!
        return min(30, AxisTicks.roundStep(notAbove: max(span, 1e-7) / 2.5))
    }

    private static func digits(_ step: Double) -> Int { max(0, Int((-log10(step) - 1e-9).rounded(.up))) }

    /// Returns the figures at multiples of a step between the samples.
    private static func crossings(_ values: [Double], _ step: Double) -> [Figure] {
        var figures: [Figure] = []
        for index in 0..<samples {
            let (a, b) = (values[index], values[index + 1])
            let (low, high) = (min(a, b), max(a, b))
            guard high > low else { continue }
            var number = (low / step).rounded(.up)
            // A multiple at a sample belongs to the part that begins there.
            while number * step < high, figures.count < 100 {
                let share = (number * step - a) / (b - a)
                figures.append(Figure(degrees: number * step, share: (Double(index) + share) / Double(samples)))
                number += 1
            }
        }
        return figures
    }

    /// Returns the shares of the lines that cross each of two edges exactly once.
    private static func pairs(_ first: [Figure], _ second: [Figure]) -> [(Double, Double)] {
        func only(_ figures: [Figure], _ degrees: Double) -> Figure? {
            let same = figures.filter { abs($0.degrees - degrees) < 1e-9 }
            return same.count == 1 ? same[0] : nil
        }
        return first.compactMap { figure in
            guard only(first, figure.degrees) != nil, let other = only(second, figure.degrees) else { return nil }
            return (figure.share, other.share)
        }
    }

    /// Returns longitudes without jumps at the antimeridian.
    private static func unwrapped(_ longitudes: [Double]) -> [Double] {
        var last = longitudes[0]
        return longitudes.map { longitude in
            last += remainder(longitude - last, 360)
            return last
        }
    }
}
