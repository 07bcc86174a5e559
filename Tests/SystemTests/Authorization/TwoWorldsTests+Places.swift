import LocationModel
import TestSupport
import Testing

/// The memory of places in two worlds: who was where is nobody else's business.
extension TwoWorldsTests {
    private typealias AccessPoint = NetworkManagerDouble.AccessPoint

    private static let attic = (0..<4).map { AccessPoint("3C:A6:2F:01:0\($0):10") }
    private static let cabin = (0..<4).map { AccessPoint("3C:A6:2F:02:0\($0):10") }
    /// The place where the machine is with its next user, in metres north of the first.
    private static let office = -150.0
    /// The user of an app with full accuracy: `bin`.
    private static let fullApp = 2

    // The times in seconds
    private static let departure = 450
    private static let way = 490..<610
    private static let comparison = 640
    /// The last fix.
    private static let indoors = 970
    /// The time when the networks of the attic are imitated: the last fix no longer counts, and no search of an app
    /// with reduced accuracy is near.
    private static let imitation = 1600
    private static let end = 1730

    /// Attack: the machine was at an attic with one user, or at a cabin, and is at an office now. Other users' apps,
    /// whatever they are granted, and a reader of the metrics compare all that they can read in both worlds. Then they
    /// imitate the networks of the attic, whose addresses they know.
    @Test(.enabled(if: NetworkManagerDouble.isPossible, "needs python3-gi"))
    func theyLookTheSameWhereverTheMachineWasWithAnotherUser() async throws {
        let begin = Timestamp(millisecondsSince1970: Int64(Self.start) * 1000)
        let worlds = (
            try await World(start: begin, remembersPlaces: true), try await World(start: begin, remembersPlaces: true)
        )
        let networks = (
            try await NetworkManagerDouble(on: worlds.0.bus), try await NetworkManagerDouble(on: worlds.1.bus)
        )
        try networks.0.set(heard: Self.attic, own: Self.attic[0].address)
        try networks.1.set(heard: Self.cabin, own: Self.cabin[0].address)
        let owner = (try await Self.owner(in: worlds.0), try await Self.owner(in: worlds.1))
        for world in [worlds.0, worlds.1] { try await world.waitForSessions(["Subscribe": 1]) }
        try await networks.0.waitForReadings(1)
        try await networks.1.waitForReadings(1)
        for second in 0..<Self.comparison {
            if second == Self.departure {
                for double in [networks.0, networks.1] { try double.set(heard: [], own: "") }
            }
            let skies = (Self.sky(second, from: 0), Self.sky(second, from: 200))
            try await World.pass(worlds, (Self.sentences(second, skies.0), Self.sentences(second, skies.1)))
            _ = try WorldReader.read([owner.0, owner.1])
        }
        for world in [worlds.0, worlds.1] {
            let places = try await Self.rememberedPlaces(in: world)
            #expect(places.contains(#""count":1"#), "\(places)")
        }

        let makers: [(String, (World) async throws -> WorldReader)] = [
            ("an app without a grant", Self.stranger), ("a reader of the metrics", Self.exporter),
            ("an app with reduced accuracy", Self.reducedApp), ("an app with full accuracy", Self.navigatorOfOther),
        ]
        var pairs: [Pair] = []
        for (name, make) in makers { pairs.append((name, try await make(worlds.0), try await make(worlds.1))) }
        for world in [worlds.0, worlds.1] {
            try await world.waitForSessions(["Subscribe": 5, "MonitorSignificantChanges": 2, "MonitorVisits": 1])
        }
        var (differences, cells) = (0, Set<String>())
        var received = ("", "")
        for second in Self.comparison..<Self.end {
            if second == Self.imitation {
                for double in [networks.0, networks.1] { try double.set(heard: Self.attic) }
            }
            let sentences = Self.sentences(second, Self.sky(second, from: 0))
            try await World.pass(worlds, (sentences, sentences))
            let lines = try WorldReader.read([owner.0, owner.1])
            received.0 += try WorldReader.texts(in: lines[0]).joined()
            received.1 += try WorldReader.texts(in: lines[1]).joined()
            // Until the first quarter is settled, a reader that starts later may get more at once.
            if second < Self.comparison + 20 {
                for pair in pairs { _ = (try await pair.first.read(), try await pair.second.read()) }
                continue
            }
            // Who gets the location may learn from the imitation that the machine was there.
            let compared = pairs.prefix(second < Self.imitation ? pairs.count : 2)
            try await Self.expectSame(Array(compared), &differences, &cells)
            if differences > 0 { break }
        }
        #expect(differences == 0)
        #expect(cells.contains("latitude"), "the app with reduced accuracy got no cell")
        // The worlds do differ, for the user who was there.
        #expect(received.0.contains("remembered") && !received.1.contains("remembered"))
        try await worlds.0.stop()
        try await worlds.1.stop()
    }

    /// Returns the sky at a time: at the first place, on the way, at the office, and without a fix.
    private static func sky(_ second: Int, from place: Double) -> Sky {
        let travelled = Double(min(max(second, way.lowerBound), way.upperBound) - way.lowerBound) / Double(way.count)
        return Sky(north: place + travelled * (office - place), hasFix: second < indoors)
    }

    private static func rememberedPlaces(in world: World) async throws -> String {
        let call = World.manage("GetRememberedPlaces")
        let reader = try await WorldReader(.init(calls: [.init(world.managementSocket, [call])]), as: nil)
        return try await reader.read().joined().filter { !$0.isWhitespace }
    }

    /// The app of the user who was there. It has fixes all the time.
    private static func owner(in world: World) async throws -> WorldReader {
        try await world.grant("full", uid: 0)
        let subscribe = World.location("Subscribe", continuously, more: true)
        return try await WorldReader(.init(streams: [[world.publicSocket, subscribe]]), as: 0)
    }

    /// An app of another user with full accuracy, which asks for all that depends on where the machine is or was.
    private static func navigatorOfOther(in world: World) async throws -> WorldReader {
        try await world.grant("full", uid: fullApp)
        let socket = world.publicSocket
        return try await WorldReader(
            .init(
                calls: [
                    .init(
                        socket,
                        [World.location("GetAuthorization"), World.location("GetLocation", #"{"timeout":0}"#)])
                ],
                streams: ["Subscribe", "MonitorSignificantChanges", "MonitorVisits"].map {
                    [socket, World.location($0, more: true)]
                }, hidden: world.hidden), as: fullApp)
    }
}
