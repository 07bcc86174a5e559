import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The memory of places, in virtual time, beside a double of NetworkManager.
@Suite(.timeLimit(.minutes(15)), .enabled(if: NetworkManagerDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct RememberedPlacesTests {
    private static let start = Timestamp(millisecondsSince1970: 1_780_315_200_000)  // 2026-06-01T12:00:00Z
    private static let home = (0..<4).map { NetworkManagerDouble.AccessPoint("3C:A6:2F:01:0\($0):10") }
    private static let remembered = #""quality":"remembered""#

    /// Returns the sentences of a second, this many metres north of home, or those of a receiver without a fix.
    private static func sentences(_ second: Int, north: Double? = 0) -> String {
        func two(_ value: Int) -> String { String(String(100 + value).dropFirst()) }
        let now = 12 * 3600 + second
        let time = two(now / 3600 % 24) + two(now / 60 % 60) + two(now % 60) + ".00"
        guard let north else {
            return Sentences.sentence("GPRMC,\(time),V,,,,,,,010626,,,N")
                + Sentences.sentence("GPGGA,\(time),,,,,0,00,99.9,,M,,M,,")
        }
        let minutes = Int(((30 + north / 1852) * 100_000).rounded())
        let latitude = "47\(minutes / 100_000).\(String(String(minutes % 100_000 + 100_000).dropFirst()))"
        return Sentences.sentence("GPRMC,\(time),A,\(latitude),N,00845.00000,E,0.0,0.0,010626,,,A")
            + Sentences.sentence("GPGGA,\(time),\(latitude),N,00845.00000,E,1,09,0.9,400.0,M,47.0,M,,")
    }

    private func subscriber(in world: World, _ options: String = "") async throws -> WorldReader {
        let parameters = #"{"options":{"pausesAutomatically":false\#(options)}}"#
        let subscribe = World.location("Subscribe", parameters, more: true)
        return try await WorldReader(.init(streams: [[world.publicSocket, subscribe]]), as: nil)
    }

    /// Passes seconds, and returns what the program has received, without spaces.
    private func pass(
        _ seconds: Range<Int>, in world: World, to reader: WorldReader, north: Double? = 0
    ) async throws -> String {
        var received = ""
        for second in seconds {
            try await world.pass(Self.sentences(second, north: north))
            received += try await reader.read().joined().filter { !$0.isWhitespace }
        }
        return received
    }

    private func manage(_ call: String, in world: World) async throws -> String {
        let reader = try await WorldReader(.init(calls: [.init(world.managementSocket, [call])]), as: nil)
        return try await reader.read().joined().filter { !$0.isWhitespace }
    }

    /// A world in which an app with a grant is at home, a place that has been learnt.
    private struct AtHome {
        let world: World
        let networks: NetworkManagerDouble
        let app: WorldReader
    }

    private func atHome() async throws -> AtHome {
        let world = try await World(start: Self.start, remembersPlaces: true)
        let networks = try await NetworkManagerDouble(on: world.bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        try await world.grant("full", uid: Int(getuid()))
        let app = try await subscriber(in: world)
        try await networks.waitForReadings(1)
        let received = try await pass(0..<400, in: world, to: app)
        #expect(received.contains(#""event":"location""#) && !received.contains(Self.remembered))
        let places = try await manage(World.manage("GetRememberedPlaces"), in: world)
        #expect(places.contains(#""count":1,"lastUse":"2026-06-01""#), "\(places)")
        return AtHome(world: world, networks: networks, app: app)
    }

    /// Indoors, then in the next village, then after a restart without any fix.
    @Test func aPlaceIsGivenWhereNoReceiverHasAFix() async throws {
        let home = try await atHome()
        let (world, app) = (home.world, home.app)
        let indoors = try await pass(400..<460, in: world, to: app, north: nil)
        let given = indoors.split(separator: "\0").first { $0.contains(Self.remembered) } ?? ""
        #expect(given.contains(#""latitude":47.5,"longitude":8.75,"horizontalAccuracy":65"#), "\(given)")
        #expect(!given.contains(#""speed""#) && !given.contains(#""altitude""#), "\(given)")
        let again = try await pass(460..<470, in: world, to: app)
        #expect(!again.contains(Self.remembered), "\(again)")
        try await world.stop()

        let next = try await World(start: Self.start, remembersPlaces: true, former: world.folder)
        let later = try await NetworkManagerDouble(on: next.bus)
        try later.set(heard: Self.home, own: Self.home[0].address)
        try await next.grant("full", uid: Int(getuid()))
        let second = try await subscriber(in: next)
        try await later.waitForReadings(1)
        // The place comes with the first list of networks: within 5 s.
        let first = try await pass(0..<5, in: next, to: second, north: nil)
        #expect(first.contains(Self.remembered), "\(first)")
        // A fix far away: the place is unlearnt, and nothing is given for a while.
        let away = try await pass(5..<20, in: next, to: second, north: 5000)
        #expect(!away.contains(Self.remembered), "\(away)")
        let silent = try await pass(20..<90, in: next, to: second, north: nil)
        #expect(!silent.contains(Self.remembered), "\(silent)")
        let places = try await manage(World.manage("GetRememberedPlaces"), in: next)
        #expect(places.contains(#""count":0"#), "\(places)")
        try await next.stop()
    }

    /// Attack: an app with reduced accuracy learns more than the cell, such as that the machine is indoors.
    @Test func attackAnAppWithReducedAccuracyGetsTheCell() async throws {
        let home = try await atHome()
        let (world, app) = (home.world, home.app)
        try await world.grant("reduced", uid: Int(getuid()))
        // Over the next tick, without a fix.
        let received = try await pass(400..<920, in: world, to: app, north: nil)
        let ticks = received.split(separator: "T12:15:0").count - 1
        #expect(ticks == 1, "\(received)")
        #expect(received.contains(#""horizontalAccuracy":8500"#), "\(received)")
        #expect(!received.contains("remembered") && !received.contains("47.5,"), "\(received)")
        try await world.stop()
    }

    /// The places are off the disk when the call is answered.
    @Test(arguments: ["ForgetRememberedPlaces", "ForgetRememberedPlaces here", "ClearPlaces", "Reset"])
    func theyAreForgotten(method: String) async throws {
        let home = try await atHome()
        let world = home.world
        let before = try World.placeFiles(in: world.folder)
        #expect(before.count == 1)
        let name = String(method.prefix { $0 != " " })
        let parameters =
            switch method {
            case "Reset": #"{"app":"exe:\#(World.interpreter)"}"#
            case name: "{}"
            default: #"{"here":true}"#
            }
        let reply = try await manage(World.manage(name, parameters), in: world)
        #expect(!reply.contains(#""error""#), "\(reply)")
        if name == "ForgetRememberedPlaces" { #expect(reply.contains(#""count":1"#), "\(reply)") }
        let places = try await manage(World.manage("GetRememberedPlaces"), in: world)
        #expect(places.contains(#""count":0"#), "\(places)")
        // Of those that are left here, the file has nothing but a version.
        let after = try World.placeFiles(in: world.folder)
        let sizes = try after.map {
            try FileManager.default.attributesOfItem(atPath: "\(world.folder.path)/state/\($0)")[.size] as? Int
        }
        #expect(method.contains("here") ? sizes == [29] : after.isEmpty, "\(sizes)")
        try await world.stop()
    }

    /// Attack: a program has the denial of the last app reset, as it can through GNOME's settings.
    @Test func attackAResetOfADenialForgetsNothing() async throws {
        let home = try await atHome()
        let world = home.world
        for method in ["Revoke", "Reset"] {
            let call = World.manage(method, #"{"app":"exe:\#(World.interpreter)"}"#)
            let reply = try await manage(call, in: world)
            #expect(!reply.contains(#""error""#), "\(reply)")
        }
        let places = try await manage(World.manage("GetRememberedPlaces"), in: world)
        #expect(places.contains(#""count":1"#), "\(places)")
        try await world.stop()
    }

    @Test func nothingIsRememberedUnlessItIsConfigured() async throws {
        let world = try await World(start: Self.start)
        let networks = try await NetworkManagerDouble(on: world.bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        try await world.grant("full", uid: Int(getuid()))
        let app = try await subscriber(in: world, #","desiredAccuracy":"kilometer","distanceFilter":500"#)
        let received = try await pass(0..<600, in: world, to: app)
        #expect(received.contains(#""event":"location""#))
        let places = try await manage(World.manage("GetRememberedPlaces"), in: world)
        #expect(!places.contains("count") && !places.contains("error"), "\(places)")
        #expect(try World.placeFiles(in: world.folder).isEmpty)
        try await world.stop()
    }
}
