internal import LocationctlSupport

/// The last 24 hours of an app on one line: the deliveries in each hour, ending with the current hour.
enum HourStrip {
    /// Returns the strip in 12 columns of two hours, or in one or two columns for each hour.
    static func text(_ hours: [Int], width: Int, _ glyphs: Glyphs) -> String {
        let marks = (width < hours.count ? pairs(hours) : hours).map { glyphs.hours[level($0)] }
        return String(marks.flatMap { Array(repeating: $0, count: max(1, width / hours.count)) })
    }

    private static func pairs(_ hours: [Int]) -> [Int] {
        stride(from: 0, to: hours.count - 1, by: 2).map { hours[$0] + hours[$0 + 1] }
    }

    private static func level(_ deliveries: Int) -> Int {
        switch deliveries {
        case ..<1: 0
        case ..<10: 1
        case ..<100: 2
        case ..<1000: 3
        default: 4
        }
    }
}
