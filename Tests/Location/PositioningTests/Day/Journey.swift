import Glibc
import TestSupport

/// The movement of a device, leg by leg and without any error. Places are in metres north and east of the beginning.
struct Journey {
    struct Point {
        var north = 0.0
        var east = 0.0

        func distance(to other: Point) -> Double { hypot(other.north - north, other.east - east) }

        /// Returns the point at this distance in a direction, given in radians clockwise from north.
        func moved(by metres: Double, towards direction: Double) -> Point {
            Point(north: north + metres * cos(direction), east: east + metres * sin(direction))
        }
    }

    /// A movement along a straight line with constant acceleration.
    struct Leg {
        let begin: Double
        let end: Double
        let from: Point
        /// The direction in radians clockwise from north.
        let direction: Double
        let speed: Double
        let acceleration: Double

        func state(at time: Double) -> (place: Point, speed: Double) {
            let seconds = max(0, min(time, end) - begin)
            let way = (speed + acceleration * seconds / 2) * seconds
            return (from.moved(by: way, towards: direction), max(0, speed + acceleration * seconds))
        }
    }

    private(set) var legs: [Leg] = []
    private(set) var now = 0.0
    private(set) var place = Point()

    /// Stays for some seconds.
    mutating func rest(seconds: Double) { add(seconds: seconds, direction: 0, speed: 0, acceleration: 0) }

    /// Walks straight to a point.
    mutating func walk(to goal: Point, speed: Double) {
        add(seconds: place.distance(to: goal) / speed, direction: direction(to: goal), speed: speed, acceleration: 0)
        place = goal
    }

    /// Drives straight to a point, and waits at traffic lights and stops along the way.
    mutating func drive(
        to goal: Point, speed: ClosedRange<Double>, wait: ClosedRange<Double>, using random: inout SeededRandom
    ) {
        while true {
            let left = place.distance(to: goal)
            let hop = random.number(in: 300...900)
            accelerateAndBrake(metres: left < hop + 300 ? left : hop, to: goal, speed: random.number(in: speed))
            if left < hop + 300 { break }
            rest(seconds: random.number(in: wait))
        }
        place = goal
    }

    private mutating func accelerateAndBrake(metres: Double, to goal: Point, speed: Double) {
        let acceleration = 1.5
        let ramp = speed / acceleration
        let direction = direction(to: goal)
        add(seconds: ramp, direction: direction, speed: 0, acceleration: acceleration)
        add(seconds: (metres - ramp * speed) / speed, direction: direction, speed: speed, acceleration: 0)
        add(seconds: ramp, direction: direction, speed: speed, acceleration: -acceleration)
    }

    private func direction(to goal: Point) -> Double { atan2(goal.east - place.east, goal.north - place.north) }

    private mutating func add(seconds: Double, direction: Double, speed: Double, acceleration: Double) {
        let leg = Leg(
            begin: now, end: now + seconds, from: place, direction: direction, speed: speed, acceleration: acceleration)
        legs.append(leg)
        now = leg.end
        place = leg.state(at: now).place
    }

    /// Returns the place and the speed at a time, in seconds from the beginning.
    func state(at time: Double) -> (place: Point, speed: Double) {
        var low = 0
        var high = legs.count - 1
        while low < high {
            let middle = (low + high) / 2
            if legs[middle].end < time { low = middle + 1 } else { high = middle }
        }
        return legs[low].state(at: time)
    }
}
