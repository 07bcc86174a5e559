import Foundation
import LocationModel
import TestSupport
import Testing

/// Two worlds that differ in nothing but the sky, or a movement within a cell, look the same to everyone who is not to
/// know: in each second, over all sockets.
///
/// The worlds pass half an hour, or as many hours as TWO_WORLDS_HOURS says (`make two-worlds`).
@Suite(
    .timeLimit(.minutes(120)),
    .enabled(if: Attack.isRoot && PrivateBus.isInstalled, "needs root, to be other users, and dbus-daemon"))
struct TwoWorldsTests {
    /// The readers of one kind, one in each world.
    typealias Pair = (name: String, first: WorldReader, second: WorldReader)

    /// What the receiver sees in a second.
    struct Sky {
        /// The place, in metres north of the first.
        var north = 0.0
        var satellites = 9
        var dilution = 0.9
        var hasFix = true
    }

    static let start = 1_780_315_200  // 2026-06-01T12:00:00Z
    private static let warmUp = 10
    /// Two quarters of an hour and what follows them, in seconds.
    private static let briefly = 1900
    /// The users of two apps: `nobody` and `daemon`. A bus refuses users without an entry in passwd(5).
    private static let (app, stranger) = (65534, 1)

    /// Attack: an app with reduced accuracy, an app without a grant, a program of a user at the machine without a
    /// password, and a reader of the metrics compare what they get in two worlds.
    @Test func theyLookTheSame() async throws {
        let hours = ProcessInfo.processInfo.environment["TWO_WORLDS_HOURS"].flatMap(Int.init)
        let seconds = hours.map { $0 * 3600 } ?? Self.briefly
        let begin = Timestamp(millisecondsSince1970: Int64(Self.start) * 1000)
        let worlds = (try await World(start: begin), try await World(start: begin))
        var pairs: [Pair] = []
        let full = (try await Self.navigator(in: worlds.0), try await Self.navigator(in: worlds.1))
        for world in [worlds.0, worlds.1] { try await world.waitForSessions(["Subscribe": 1]) }
        let makers: [(String, (World) async throws -> WorldReader)] = [
            ("an app without a grant", Self.stranger), ("an app with reduced accuracy", Self.reducedApp),
            ("a user without a password", Self.manager), ("a reader of the metrics", Self.exporter),
        ]
        // Until the decoder has learned the receiver's cycle.
        for second in 0..<Self.warmUp {
            try await World.pass(worlds, (Self.sentences(second, Sky()), Self.sentences(second, Sky())))
        }
        for (name, make) in makers {
            // A user's program sees the streams of the user's apps: one of that with full accuracy, and one by each of the
            // three ways to a location.
            if name == "a user without a password" {
                for world in [worlds.0, worlds.1] {
                    try await world.waitForSessions(["Subscribe": 4, "MonitorSignificantChanges": 1])
                }
            }
            pairs.append((name, try await make(worlds.0), try await make(worlds.1)))
        }
        var chance = SeededRandom(seed: 63)
        var sky = Sky()
        var (differences, cells) = (0, Set<String>())
        for second in Self.warmUp..<seconds {
            Self.change(&sky, in: second, &chance)
            try await World.pass(worlds, (Self.sentences(second, Sky()), Self.sentences(second, sky)))
            _ = try WorldReader.read([full.0, full.1])
            try await Self.expectSame(pairs, &differences, &cells)
            if differences > 0 { break }
            guard second % 600 == 599 else { continue }
            let metrics = (try await worlds.0.metrics(), try await worlds.1.metrics())
            #expect(metrics.0 == metrics.1 && !metrics.0.isEmpty)
        }
        #expect(differences == 0)
        #expect(cells.isSuperset(of: ["latitude", "Latitude"]), "the app with reduced accuracy got no cell")
        try await worlds.0.stop()
        try await worlds.1.stop()
    }

    /// Attack: an app with reduced accuracy opens and closes streams, asks again and again, and compares what it gets
    /// in a world whose receiver is closed because the machine hears the same networks, and in one where it hears
    /// others every minute. Another user's app gets the visits.
    @Test(.enabled(if: NetworkManagerDouble.isPossible, "needs python3-gi"))
    func theyLookTheSameWhetherTheMachineIsStillOrNot() async throws {
        let begin = Timestamp(millisecondsSince1970: Int64(Self.start) * 1000)
        let worlds = (try await World(start: begin), try await World(start: begin))
        let networks = (
            try await NetworkManagerDouble(on: worlds.0.bus), try await NetworkManagerDouble(on: worlds.1.bus)
        )
        func set(_ number: Int, in networks: NetworkManagerDouble) throws {
            try networks.set(heard: (0..<4).map { .init("3C:A6:2F:0\(number):0\($0):10") })
        }
        try set(0, in: networks.0)
        try set(0, in: networks.1)
        for world in [worlds.0, worlds.1] { try await world.grant("full", uid: 0) }
        let visitors = (try await Self.visitor(in: worlds.0), try await Self.visitor(in: worlds.1))
        var pairs: [Pair] = [
            (
                "an app with reduced accuracy", try await Self.reducedApp(in: worlds.0),
                try await Self.reducedApp(in: worlds.1)
            ),
            ("an app without a grant", try await Self.stranger(in: worlds.0), try await Self.stranger(in: worlds.1)),
        ]
        for world in [worlds.0, worlds.1] { try await world.waitForSessions(["Subscribe": 3]) }
        var (differences, cells, open) = (0, Set<String>(), [0, 0])
        for second in 0..<Self.briefly {
            if second % 60 == 59 {
                try set(0, in: networks.0)
                try set(1 + second / 60 % 8, in: networks.1)
            }
            let sentences = Self.sentences(second, Sky())
            let isOpen = try await World.pass(worlds, (sentences, sentences))
            if isOpen.0 { open[0] += 1 }
            if isOpen.1 { open[1] += 1 }
            for visitor in [visitors.0, visitors.1] { _ = try await visitor.read() }
            if second % 97 == 50 {
                let new = (try await Self.reducedApp(in: worlds.0), try await Self.reducedApp(in: worlds.1))
                for world in [worlds.0, worlds.1] { try await world.waitForSessions(["Subscribe": 6]) }
                (pairs[0].first, pairs[0].second) = new
            }
            // Until the first quarter is settled, a reader that starts later may get more at once.
            if second < 20 {
                for (_, first, other) in pairs { _ = (try await first.read(), try await other.read()) }
                continue
            }
            try await Self.expectSame(pairs, &differences, &cells)
            if differences > 0 { break }
        }
        #expect(differences == 0)
        #expect(cells.contains("latitude"), "the app with reduced accuracy got no cell")
        #expect(open[0] < open[1], "the receivers were open for \(open) s: the machine was not still")
        try await worlds.0.stop()
        try await worlds.1.stop()
    }

    private static func visitor(in world: World) async throws -> WorldReader {
        try await WorldReader(
            .init(streams: [[world.publicSocket, World.location("MonitorVisits", more: true)]]), as: 0)
    }

    /// Has the readers read until those of each pair have read the same: an answer of the disk may come later in one
    /// world, while the time of both stands still.
    static func expectSame(_ pairs: [Pair], _ differences: inout Int, _ cells: inout Set<String>) async throws {
        let lines = try WorldReader.read(pairs.flatMap { [$0.first, $0.second] })
        for (index, (name, first, second)) in pairs.enumerated() {
            let (line, otherLine) = (lines[2 * index], lines[2 * index + 1])
            if line == otherLine, cells.count == 2 { continue }
            var (one, other) = (try WorldReader.texts(in: line), try WorldReader.texts(in: otherLine))
            for _ in 0..<12_000 where one != other {
                try await Task.sleep(for: .milliseconds(5))
                one = merge(one, try await first.read(), callsOf: first)
                other = merge(other, try await second.read(), callsOf: second)
            }
            let isSame = one == other
            #expect(isSame, "\(name): \(difference(between: one, and: other))")
            if !isSame { differences += 1 }
            // In JSON, and in GeoClue's properties.
            for text in one where cells.count < 2 {
                text.matches(of: /["'](latitude|Latitude)["']: ?4/).forEach { cells.insert(String($0.1)) }
            }
        }
    }

    /// Returns the surroundings of the first difference.
    private static func difference(between first: [String], and second: [String]) -> String {
        for (index, (one, other)) in zip(first, second).enumerated() where one != other {
            let same = max(0, zip(one, other).prefix { $0 == $1 }.count - 150)
            return "\(index): \(one.dropFirst(same).prefix(300)) / \(other.dropFirst(same).prefix(300))"
        }
        return "none"
    }

    /// Returns the newer replies, and all that the streams have sent.
    private static func merge(_ earlier: [String], _ later: [String], callsOf reader: WorldReader) -> [String] {
        zip(earlier, later).enumerated().map {
            $0.offset < reader.callCount ? $0.element.1 : $0.element.0 + $0.element.1
        }
    }

    // MARK: The readers

    /// The options of an app that gets locations all the time. The hours of one that is paused show movement.
    static let continuously = #"{"options":{"pausesAutomatically":false}}"#

    /// Another app of the same user, with full accuracy, which keeps the receiver open.
    private static func navigator(in world: World) async throws -> WorldReader {
        try await world.grant("full", uid: app, app: world.navigator)
        let subscribe = World.location("Subscribe", continuously, more: true)
        return try await WorldReader(
            .init(streams: [[world.publicSocket, subscribe]]), as: app, by: world.navigator)
    }

    static func reducedApp(in world: World) async throws -> WorldReader {
        try await world.grant("reduced", uid: app)
        return try await WorldReader(appPlan(in: world), as: app)
    }

    static func stranger(in world: World) async throws -> WorldReader {
        try await WorldReader(appPlan(in: world), as: stranger)
    }

    /// All that an app can ask and hear.
    private static func appPlan(in world: World) -> WorldReader.Plan {
        let (socket, region) = (world.publicSocket, #"{"identifier":"a"}"#)
        return .init(
            calls: [
                .init(
                    socket,
                    [
                        World.location("GetAuthorization"), World.location("GetLocation", #"{"timeout":0}"#),
                        World.location("GetCompass"), World.location("ListRegions"),
                        World.location("GetRegionState", region),
                    ])
            ],
            streams: [
                "Subscribe", "GetAuthorization", "MonitorSignificantChanges", "MonitorRegions", "MonitorVisits",
                "MonitorHeading", "Record",
            ].map { [socket, World.location($0, more: true)] },
            gpsd: world.folder.path + "/run/gpsd", geoclue: world.geoclue, hidden: world.hidden)
    }

    private static func manager(in world: World) async throws -> WorldReader {
        let socket = world.managementSocket
        return try await WorldReader(
            .init(
                calls: [
                    .init(
                        socket,
                        [
                            "ListApps", "GetServices", "ListSessions", "GetIndicator", "GetAccessLog", "GetStatistics",
                            "ListReceivers",
                        ].map { World.manage($0, #"{"allowInteractiveAuthentication":false}"#) }
                            + [
                                World.manage(
                                    "ListReceivers", #"{"details":true,"allowInteractiveAuthentication":false}"#),
                                World.manage("ListSatellites"), World.manage("ListPlaces"),
                            ])
                ],
                streams: ["MonitorApps", "ListSessions", "GetIndicator", "ListReceivers", "MonitorPrompts"].map {
                    [socket, World.manage($0, #"{"allowInteractiveAuthentication":false}"#, more: true)]
                }, awaitsStreams: true, hidden: world.hidden), as: app)
    }

    /// The calls of `locationctl metrics`, which runs as root and shows others only what they may have.
    static func exporter(in world: World) async throws -> WorldReader {
        let parameters = #"{"forOthers":true,"details":false}"#
        return try await WorldReader(
            .init(
                calls: [.init(world.managementSocket, [World.manage("ListReceivers", parameters)])],
                streams: [[world.managementSocket, World.manage("ListReceivers", parameters, more: true)]],
                awaitsStreams: true,
                hidden: world.hidden), as: 0)
    }

    // MARK: The skies

    /// Walks within some hundred metres, and opens and closes the sky between two searches.
    private static func change(_ sky: inout Sky, in second: Int, _ chance: inout SeededRandom) {
        sky.north = min(200, max(-200, sky.north + Double.random(in: -1.5...1.5, using: &chance)))
        sky.satellites = Int.random(in: 4...12, using: &chance)
        sky.dilution = Double.random(in: 0.8...3, using: &chance)
        if Int.random(in: 0..<120, using: &chance) == 0 { sky.hasFix.toggle() }
        // A search, which apps with reduced accuracy may learn the success of, takes a minute at most.
        // They learn it at the end of the search, and not when the sky opens.
        if second % 900 < 65 || second % 900 > 840 { sky.hasFix = !(0..<3).contains(second % 900) }
    }

    static func sentences(_ second: Int, _ sky: Sky) -> String {
        func two(_ value: Int) -> String { String(String(100 + value).dropFirst()) }
        let now = 12 * 3600 + second
        let time = two(now / 3600 % 24) + two(now / 60 % 60) + two(now % 60) + ".00"
        let date = two(1 + now / 86_400) + "0626"
        guard sky.hasFix else {
            return Sentences.sentence("GPRMC,\(time),V,,,,,,,\(date),,,N")
                + Sentences.sentence("GPGGA,\(time),,,,,0,0\(sky.satellites % 4),,,M,,M,,")
        }
        // A minute of latitude is 1,852 m.
        let minutes = Int(((30 + sky.north / 1852) * 100_000).rounded())
        let latitude = "47\(minutes / 100_000).\(String(String(minutes % 100_000 + 100_000).dropFirst()))"
        return Sentences.sentence("GPRMC,\(time),A,\(latitude),N,00845.00000,E,0.0,0.0,\(date),,,A")
            + Sentences.sentence(
                "GPGGA,\(time),\(latitude),N,00845.00000,E,1,\(two(sky.satellites)),"
                    + "\((sky.dilution * 10).rounded() / 10),400.0,M,47.0,M,,")
    }
}
