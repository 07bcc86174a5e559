import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// Attacks that look for the home of a commuter over 30 days, 200 times: secret, region, home, road, office.
///
/// All attackers receive each (moment, cell) and know everything that is public: the grid, the margin, the clock.
/// They try hypotheses and weigh them by the likelihood of what they received (maximum likelihood, then the mean of
/// the likely hypotheses, which errs less than the single best one), and name one place.
@Suite struct CommuteAttackTests {
    private static let seeds: Range<UInt64> = 1..<201

    /// The errors of an attack in metres, one for each seed.
    private struct Errors {
        var attack: [Double] = []
        /// The errors of the same attack with knowledge of the secret.
        var attackWithSecret: [Double] = []
        /// The errors of the middle of the home's cell: the best guess of an attacker who knows only that cell and its
        /// borders.
        var middle: [Double] = []
        /// The errors of a random place in that cell.
        var anywhere: [Double] = []

        mutating func judge(_ commute: Commute, named: ReductionTrial.Point, _ chance: inout SeededRandom) {
            let half = 2525.0
            let middle = commute.middleOfHomeCell
            let offset = ReductionTrial.Point(north: chance.between(-half, half), east: chance.between(-half, half))
            attack.append((named - commute.road.home).length)
            self.middle.append((middle - commute.road.home).length)
            anywhere.append((middle + offset - commute.road.home).length)
        }

        /// Expects that the attack is no better than knowing the cell, and hits the home no more often than chance.
        func expectNothingLearned(_ attacker: String) {
            let (error, guess) = (ReductionTrial.median(attack), ReductionTrial.median(middle))
            let hits = attack.count { $0 < 250 }
            let bound = ReductionTrial.chanceBound(
                trials: attack.count, probability: .pi * 250 * 250 / (5000 * 5000))
            #expect(error >= 0.9 * guess)
            #expect(error > 1000)
            #expect(hits <= bound)
            print(
                "\(attacker): home to \(ReductionTrial.kilometres(error)) (median of \(attack.count));",
                "the middle of the cell is \(ReductionTrial.kilometres(guess)) off,",
                "any place in it \(ReductionTrial.kilometres(ReductionTrial.median(anywhere)));",
                "\(hits) within 250 m, by chance up to \(bound)")
        }
    }

    /// Attack: the attacker knows how the device moved since it left home, to the metre and the second: from a step
    /// counter and a compass, or from the shape of the road, its speeds and each departure. It does not know where on
    /// Earth that was, or it would know the home without any app.
    ///
    /// Each tick under way puts the known movement into a cell, and so the home into that cell moved back. The
    /// attacker overlays the cells of 60 trips. On a grid with known borders, their intersection would measure a few
    /// metres.
    @Test(arguments: Moments.allCases) func theMovementIsKnownAndThePlaceIsNot(moments: Moments) {
        var errors = Errors()
        var chance = SeededRandom(seed: 0)
        for seed in Self.seeds {
            let commute = Commute(seed: seed, moments: moments)
            let named = homeByMovement(commute)
            errors.judge(commute, named: named, &chance)
            // With known borders the same attack works. So the shift stops it, and not the attacker's lack of skill.
            let shift = commute.plane.point(ReductionGrid.centre(of: commute.homeCell)) - commute.middleOfHomeCell
            errors.attackWithSecret.append((named - shift - commute.road.home).length)
        }
        errors.expectNothingLearned("a commute, movement known, \(moments)")
        let withSecret = ReductionTrial.median(errors.attackWithSecret)
        #expect(withSecret < 250)
        print("  the same attacker, given the secret: home to \(ReductionTrial.kilometres(withSecret))")
    }

    private func homeByMovement(_ commute: Commute) -> ReductionTrial.Point {
        // The cells depend on the sum of position and shift, so assuming no shift loses nothing.
        let grid = PublicGrid(around: commute.homeCell.row)
        let plane = commute.plane
        let sights = commute.trips.flatMap { trip in
            trip.sights.map { sight in
                let seconds = sight.secondsUnderWay
                let at = commute.road.point(trip.isOutward ? seconds : commute.road.duration - seconds)
                return (moved: at - commute.road.home, before: sight.before, cell: sight.cell)
            }
        }
        let sightsOfTenDays = commute.trips.prefix(20).reduce(0) { $0 + $1.sights.count }
        func search(around middle: ReductionTrial.Point, step: Double, sightCount: Int) -> ReductionTrial.Point {
            likely(around: middle, step: step) { home in
                var misses = 0.0
                // Millions of times, and a loop over the elements takes longer where it is not optimized.
                var index = 0
                while index < sightCount {
                    let sight = sights[index]
                    let (latitude, longitude) = plane.place(home + sight.moved)
                    let cell = grid.cell(latitude: latitude, longitude: longitude, staying: sight.before)
                    if cell != sight.cell { misses += 1 }
                    index += 1
                }
                return -misses
            }
        }
        let centre = commute.plane.point(ReductionGrid.centre(of: commute.homeCell))
        let roughly = search(around: centre, step: 800, sightCount: sightsOfTenDays)
        let shifted = search(around: roughly, step: 200, sightCount: sights.count)
        // This is the home's position within its cell. The delivered position may reveal where the cell is.
        return commute.deliveredAtHome + (shifted - centre)
    }

    /// Attack: the attacker knows the main road on the map, the junction of the home's own road, the office, and the
    /// speeds. It does not know the departures. First it looks for the shift: bends and changes of speed reveal where
    /// on the road the borders are. Then it looks for the home in the cell that follows from this shift, by the way
    /// to the main road.
    @Test func theRoadIsKnownAndTheDeparturesAreNot() async {
        var errors = Errors()
        var shiftErrors: [Double] = []
        var chance = SeededRandom(seed: 0)
        for seed in Self.seeds {
            await Task.yield()
            let commute = Commute(seed: seed)
            let told = Journeys(commute)
            let (named, shift) = homeByRoad(commute, told.likelihood)
            errors.judge(commute, named: named, &chance)
            shiftErrors.append(borderError(of: shift, commute))
        }
        errors.expectNothingLearned("a commute, road known")
        print("  it knows the borders to \(ReductionTrial.kilometres(ReductionTrial.median(shiftErrors)))")
    }

    /// Attack: the same attacker chooses its moments. So it knows more precisely how long the device took from one
    /// cell to the next, or knows to the second when the device was between two cells.
    @Test(arguments: [Moments.anywhere, .pairs]) func theRoadIsKnownAndTheMomentsAreChosen(moments: Moments) async {
        var errors = Errors()
        var shiftErrors: [Double] = []
        var chance = SeededRandom(seed: 0)
        for seed in Self.seeds.prefix(30) {
            await Task.yield()
            let commute = Commute(seed: seed, moments: moments)
            let told = TimedJourneys(commute)
            let (named, shift) = homeByRoad(commute, told.likelihood)
            errors.judge(commute, named: named, &chance)
            shiftErrors.append(borderError(of: shift, commute))
        }
        errors.expectNothingLearned("a commute, road known, \(moments)")
        print("  it knows the borders to \(ReductionTrial.kilometres(ReductionTrial.median(shiftErrors)))")
    }

    /// Returns the error of the borders that the attacker assumes, in metres.
    private func borderError(of shift: ReductionTrial.Point, _ commute: Commute) -> Double {
        ReductionTrial.Point(north: shift.north - commute.shiftNorth, east: shift.east - commute.shiftEast).length
            * 5000
    }

    private func homeByRoad(
        _ commute: Commute, _ likelihood: (Road, PublicGrid) -> Double
    ) -> (ReductionTrial.Point, shift: ReductionTrial.Point) {
        let middle = commute.plane.point(ReductionGrid.centre(of: commute.homeCell))
        var grid = PublicGrid(around: commute.homeCell.row)
        // The shift is in cells. The home is assumed in the middle of the resulting cell.
        let shift = likely(around: ReductionTrial.Point(north: 0, east: 0), step: 1.0 / 7) { shift in
            grid.shiftNorth = shift.north
            grid.shiftEast = shift.east
            return likelihood(commute.road.with(home: middle - shift * 5000), grid)
        }
        grid.shiftNorth = shift.north
        grid.shiftEast = shift.east
        let home = likely(around: middle - shift * 5000, step: 5000.0 / 7) { home in
            likelihood(commute.road.with(home: home), grid)
        }
        return (home, shift)
    }

    /// Returns the mean of 7 by 7 points around `middle`, weighted by their likelihoods, which are logarithms.
    private func likely(
        around middle: ReductionTrial.Point, step: Double, _ likelihood: (ReductionTrial.Point) -> Double
    ) -> ReductionTrial.Point {
        var points: [(point: ReductionTrial.Point, likelihood: Double)] = []
        for north in -3...3 {
            for east in -3...3 {
                let point = middle + ReductionTrial.Point(north: Double(north) * step, east: Double(east) * step)
                points.append((point, likelihood(point)))
            }
        }
        let best = points.map(\.likelihood).max() ?? 0
        var sum = ReductionTrial.Point(north: 0, east: 0)
        var weights = 0.0
        for (point, likelihood) in points where likelihood > best - 20 {
            let weight = exp(likelihood - best)
            sum = sum + point * weight
            weights += weight
        }
        return sum * (1 / weights)
    }
}
