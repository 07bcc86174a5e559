import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// The moments when the attacker's apps request a location: one in each quarter of an hour, as they get no more.
enum Moments: String, CaseIterable {
    /// Apps stay subscribed, and get the location at each tick.
    case ticks
    /// Apps subscribe and leave at any moment of the quarter.
    case anywhere
    /// Apps make two requests within a second: at the end of one quarter, and at the beginning of the next.
    case pairs

    /// Returns the moment within a quarter, in seconds after the start.
    func moment(ofQuarter quarter: Int, _ chance: inout SeededRandom) -> Double {
        let tick = Double(quarter) * 900
        return switch self {
        case .ticks: tick
        case .anywhere: tick + chance.between(0, 899)
        case .pairs: quarter % 2 == 0 ? tick : tick + 899
        }
    }
}

/// Thirty days of commuting between a home and an office, both as the device moves and as an app with reduced
/// accuracy sees it.
struct Commute {
    /// The cell that an app received at a moment of a trip.
    struct Sight {
        /// The moment in seconds after the start.
        let moment: Double
        /// The seconds since the departure.
        let secondsUnderWay: Double
        let before: ReductionGrid.Cell
        let cell: ReductionGrid.Cell
    }

    /// One trip: the moments from the departure to the second quarter after the arrival.
    struct Trip {
        let isOutward: Bool
        var sights: [Sight] = []
    }

    let plane: ReductionTrial.Plane
    let road: Road
    /// The cells that are delivered at home and at the office.
    private(set) var homeCell = ReductionGrid.Cell(row: 0, column: 0)
    private(set) var officeCell = ReductionGrid.Cell(row: 0, column: 0)
    /// The position that is delivered at home.
    private(set) var deliveredAtHome = ReductionTrial.Point(north: 0, east: 0)
    private(set) var trips: [Trip] = []
    /// The shift of this machine. It is known to the judge of an attack, but not to the attacker.
    let shiftNorth: Double
    let shiftEast: Double

    static let days = 30
    private let moments: Moments

    /// Draws everything from the seed: secret, part of the world, home, road and office. Departures are spread over
    /// two hours.
    init(seed: UInt64, moments: Moments = .ticks) {
        self.moments = moments
        var device = ReductionTrial.Device(seed: seed)
        plane = ReductionTrial.Plane(
            latitude: device.chance.between(-60, 60), longitude: device.chance.between(-180, 180))
        road = Road(&device.chance)
        shiftNorth = device.reducer.grid.shiftNorth
        shiftEast = device.reducer.grid.shiftEast
        // One tick of a night is enough. The test of averaging has more of them.
        let first = device.observe(plane, road.home, at: 0)
        deliveredAtHome = first.map { plane.point(($0.latitude, $0.longitude)) } ?? deliveredAtHome
        for day in 0..<Self.days {
            let midnight = Double(day) * 86_400
            homeCell = told(device.observe(plane, road.home, at: midnight + 900))
            travel(&device, outward: true, departure: midnight + 3600 * device.chance.between(7, 9))
            officeCell = told(device.observe(plane, road.office, at: midnight + 13 * 3600))
            travel(&device, outward: false, departure: midnight + 3600 * device.chance.between(16, 18))
        }
    }

    private mutating func travel(_ device: inout ReductionTrial.Device, outward: Bool, departure: Double) {
        var trip = Trip(isOutward: outward)
        var before = outward ? homeCell : officeCell
        let first = Int(departure / 900) - 1
        for quarter in first...Int((departure + road.duration + 1800) / 900) {
            let moment = moments.moment(ofQuarter: quarter, &device.chance)
            let seconds = moment - departure
            // With moments at the ticks, a trip begins with the departure.
            guard seconds >= 0 || moments != .ticks else { continue }
            let point = road.point(outward ? seconds : road.duration - seconds)
            let cell = told(device.observe(plane, point, at: moment))
            trip.sights.append(Sight(moment: moment, secondsUnderWay: seconds, before: before, cell: cell))
            before = cell
        }
        trips.append(trip)
    }

    /// Returns the cell around the centre that an app received. Anyone can derive one from the other.
    private func told(_ location: Location?) -> ReductionGrid.Cell {
        guard let location else { preconditionFailure("each moment has a fix") }
        return PublicGrid().cell(latitude: location.latitude, longitude: location.longitude)
    }

    /// The middle of the cell that the home is really in, which only the machine knows.
    var middleOfHomeCell: ReductionTrial.Point {
        let (latitude, longitude) = ReductionGrid.centre(of: homeCell)
        let columns = Double(ReductionGrid.columns(inRow: homeCell.row))
        return plane.point(
            (latitude - shiftNorth * 90 / Double(ReductionGrid.polarRow), longitude - shiftEast * 360 / columns))
    }
}

/// A road of several legs, with a speed on each.
struct Road {
    /// A part of the road without a bend.
    private struct Leg {
        let start: ReductionTrial.Point
        let end: ReductionTrial.Point
        let speed: Double
        /// The seconds from the start to the end.
        let duration: Double

        init(from start: ReductionTrial.Point, to end: ReductionTrial.Point, speed: Double) {
            self.start = start
            self.end = end
            self.speed = speed
            duration = (end - start).length / speed
        }
    }

    private var legs: [Leg] = []
    /// The seconds from home to the office.
    private(set) var duration = 0.0

    /// Draws a road: 1 to 3 km from home to a main road, and three legs of 5 to 12 km on it, with bends of up to 80°.
    init(_ chance: inout SeededRandom) {
        var corner = ReductionTrial.Point(north: chance.between(-9000, 9000), east: chance.between(-9000, 9000))
        var course = chance.between(0, 2 * .pi)
        for leg in 0..<4 {
            let length = leg == 0 ? chance.between(1000, 3000) : chance.between(5000, 12_000)
            let next = corner + ReductionTrial.Point(north: length * cos(course), east: length * sin(course))
            append(Leg(from: corner, to: next, speed: leg == 0 ? 10 : chance.between(13, 25)))
            corner = next
            course += chance.between(-1.4, 1.4)
        }
    }

    private mutating func append(_ leg: Leg) {
        legs.append(leg)
        duration += leg.duration
    }

    var home: ReductionTrial.Point { legs[0].start }
    var office: ReductionTrial.Point { legs[legs.count - 1].end }

    /// Returns the same road from another home.
    func with(home: ReductionTrial.Point) -> Road {
        var road = self
        road.legs[0] = Leg(from: home, to: legs[0].end, speed: legs[0].speed)
        road.duration += road.legs[0].duration - legs[0].duration
        return road
    }

    /// Returns the position of the device this many seconds after it left home.
    func point(_ seconds: Double) -> ReductionTrial.Point {
        var rest = seconds > 0 ? seconds : 0
        var index = 0
        // Attacks call this millions of times, and a loop over the array's elements takes longer where it is not
        // optimized.
        while index < legs.count {
            let leg = legs[index]
            if rest < leg.duration { return leg.start + (leg.end - leg.start) * (rest / leg.duration) }
            rest -= leg.duration
            index += 1
        }
        return office
    }
}

/// The grid as it is publicly known, with a shift that an attacker assumes.
///
/// It caches the number of cells in a row, because attackers try many positions.
struct PublicGrid {
    var shiftNorth = 0.0
    var shiftEast = 0.0
    /// The number of cells in each row from `firstRow` on.
    private var columns: [Double] = []
    private var firstRow = 0

    init(shiftNorth: Double = 0, shiftEast: Double = 0) {
        self.shiftNorth = shiftNorth
        self.shiftEast = shiftEast
    }

    /// Caches the number of cells in the rows around `row`.
    init(around row: Int) {
        firstRow = row - 14
        columns = (firstRow...row + 14).map { Double(ReductionGrid.columns(inRow: $0)) }
    }

    private func columns(inRow row: Int) -> Double {
        let index = row - firstRow
        return index >= 0 && index < columns.count ? columns[index] : Double(ReductionGrid.columns(inRow: row))
    }

    func cell(latitude: Double, longitude: Double, staying old: ReductionGrid.Cell? = nil) -> ReductionGrid.Cell {
        let north = latitude * Double(ReductionGrid.polarRow) / 90 + shiftNorth
        if let old, (north - Double(old.row)).magnitude <= 0.5 + ReductionGrid.margin {
            let count = columns(inRow: old.row)
            let off = remainder(longitude * count / 360 + shiftEast - Double(old.column), count)
            if off.magnitude <= 0.5 + ReductionGrid.margin { return old }
        }
        let row = Int((north + 0.5).rounded(.down))
        let count = columns(inRow: row)
        let column = Int((longitude * count / 360 + shiftEast + 0.5).rounded(.down))
        return ReductionGrid.Cell(row: row, column: column < 0 ? column + Int(count) : column % Int(count))
    }
}
