import LocationModel

@testable import Positioning

/// The results of a day for each kind of consumer, compared with the truth.
struct DayFigures {
    let day: Day
    let subscriber: Subscriber
    let kilometerSubscriber: Subscriber
    let changes: [Double]
    let visits: [Visit]
    let crossings: [RegionWatcher.Crossing]
    /// The share of the day during which the receiver was on, by kind of consumer.
    let shares: Shares

    struct Shares {
        let best: Double
        let kilometer: Double
        let significantChanges: Double
        let visits: Double
        let regions: Double
        let nobody: Double
    }

    init(seed: UInt64) {
        let day = Day(seed: seed)
        self.day = day
        var best = Subscriber(.best)
        var kilometer = Subscriber(.kilometer)
        var significant = SignificantChangeWatcher()
        var visitor = VisitWatcher()
        var regions = RegionWatcher([
            day.region("home", around: day.stays[0].place, radius: 200),
            day.region("office", around: day.stays[1].place, radius: 120),
            day.region("halfway", around: day.halfway, radius: 500),
        ])
        var nobody = Nobody()
        shares = Shares(
            best: day.live(&best), kilometer: day.live(&kilometer), significantChanges: day.live(&significant),
            visits: day.live(&visitor), regions: day.live(&regions), nobody: day.live(&nobody))
        subscriber = best
        kilometerSubscriber = kilometer
        changes = significant.changes
        visits = visitor.visits
        crossings = regions.crossings
    }

    /// The seconds from the beginning of each stay to the pause.
    var pauseDelays: [Double] { zip(subscriber.pauses, day.stays).map { $0 - $1.begin } }

    /// The seconds from each departure to the resume, and the metres covered by then.
    var resumeDelays: [(seconds: Double, metres: Double)] {
        zip(subscriber.resumes, day.stays).map { ($0 - $1.end, day.distance(from: $1.place, at: $0)) }
    }

    /// The error of each reported arrival and departure, in seconds.
    var visitErrors: [Double] {
        var errors: [Double] = []
        for (index, visit) in visits.enumerated() where index / 2 < day.stays.count {
            let stay = day.stays[index / 2]
            errors.append(
                visit.departure.map { Day.seconds($0) - stay.end } ?? Day.seconds(visit.arrival) - stay.begin)
        }
        return errors
    }

    /// The distance between each visit's reported and true place, in metres.
    var visitDistances: [Double] {
        zip(visits, [0, 0, 1, 1, 2]).map { visit, index in
            let told = day.plane.displacement(
                to: Location(timestamp: visit.arrival, latitude: visit.latitude, longitude: visit.longitude))
            return day.stays[index].place.distance(to: Journey.Point(north: told.north, east: told.east))
        }
    }

    /// The crossings of the regions' borders, in the order of their true times.
    static let trueCrossings = [
        "home outside", "halfway inside", "halfway outside", "office inside", "office outside", "home inside",
    ]

    /// The seconds from each true crossing to its report.
    var crossingDelays: [Double] {
        let circles = [
            "home": (day.stays[0].place, 200.0), "office": (day.stays[1].place, 120), "halfway": (day.halfway, 500),
        ]
        return crossings.map { crossing in
            let (centre, radius) = circles[crossing.identifier]!
            var time = crossing.time
            let isInside = crossing.state == .inside
            while time > 0, (day.distance(from: centre, at: time) <= radius) == isInside { time -= 1 }
            return crossing.time - time
        }
    }

    /// The figures as a table.
    var table: String {
        func text(_ number: Double, _ unit: String) -> String { "\((number * 10).rounded() / 10) \(unit)" }
        func clock(_ seconds: Double) -> String {
            let minutes = Int(seconds / 60)
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        func percent(_ share: Double) -> String { text(share * 100, "%") }
        let rows = [
            ("at rest from", day.stays.map { clock($0.begin) }),
            ("pauses after", pauseDelays.map { text($0, "s") }),
            ("sets off at", day.stays.dropLast().map { clock($0.end) }),
            ("resumes after", resumeDelays.map { text($0.seconds, "s") + " and " + text($0.metres, "m") }),
            ("significant changes", changes.map(clock)),
            ("visits, error", visitErrors.map { text($0, "s") }),
            ("crossings", crossings.map { "\($0.identifier) \($0.state)" }),
            ("told after", crossingDelays.map { text($0, "s") }),
            ("receiver on: best", [percent(shares.best)]), ("kilometer", [percent(shares.kilometer)]),
            ("significant changes", [percent(shares.significantChanges)]), ("visits", [percent(shares.visits)]),
            ("regions", [percent(shares.regions)]), ("nobody", [percent(shares.nobody)]),
        ]
        return rows.map { name, cells in
            name + String(repeating: " ", count: 22 - name.count) + cells.joined(separator: ", ")
        }.joined(separator: "\n")
    }
}
