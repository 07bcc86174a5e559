/// A value over time on one line.
package struct Sparkline {
    /// The values from the oldest to the newest, `nil` where there is none.
    let values: [Double?]
    /// The smallest range that the levels cover, in the unit of the values. Without it, noise would fill the line.
    let leastRange: Double
    /// A Boolean value indicating whether the lowest level is 0.
    let beginsAtZero: Bool

    package init(values: [Double?], leastRange: Double, beginsAtZero: Bool = false) {
        (self.values, self.leastRange, self.beginsAtZero) = (values, leastRange, beginsAtZero)
    }

    /// The smallest and the largest value, or `nil` if there is none.
    package var bounds: (least: Double, greatest: Double)? {
        let known = values.compactMap(\.self)
        guard let least = known.min(), let greatest = known.max() else { return nil }
        return (least, greatest)
    }

    /// Returns a character for each value.
    package func text(_ glyphs: Glyphs) -> String {
        guard let bounds else { return String(repeating: " ", count: values.count) }
        let bottom = beginsAtZero ? 0 : bounds.least
        let range = max(leastRange, bounds.greatest - bottom)
        return String(
            values.map { value in
                guard let value else { return " " }
                let level = Int((value - bottom) / range * Double(glyphs.levels.count - 1) + 0.5)
                return glyphs.levels[max(0, min(glyphs.levels.count - 1, level))]
            })
    }

    /// Returns an arrow for each direction, which is in degrees clockwise from north.
    package static func directions(_ values: [Double?], _ glyphs: Glyphs) -> String {
        String(values.map { $0.map { direction($0, glyphs) } ?? " " })
    }

    /// Returns the arrow for a direction in degrees.
    static func direction(_ degrees: Double, _ glyphs: Glyphs) -> Character {
        glyphs.directions[Int((degrees / 45).rounded()) & 7]
    }
}
