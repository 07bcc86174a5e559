import Foundation
import TestSupport
import Testing

@testable import NTRIP

/// Tables of mount points, and the choice among them.
@Suite struct SourceTableTests {
    private static let home = Place(latitude: 50, longitude: 8)!

    @Test func theFieldsOfARow() throws {
        let table = Self.table(
            "STR;BASE;\"Frankfurt; Main\";RTCM 3.2;1005(1);2;GPS+GLO;NET;DEU;50.09;8.66;0;0;x;none;B;N;9600;",
            "STR;VRS;x;RTCM3;;2;GPS;N;DEU;50.09;-351.34;1;1;x;none;B;N;9600;", "CAS;x;1", "NET;x")
        #expect(table.isComplete && table.stations.map(\.mount) == ["BASE", "VRS"])
        let base = try #require(table.station("BASE"))
        #expect(base.sendsRTCM3 && base.carriers == 2 && !base.needsPosition && !base.isNetwork)
        #expect(base.place == Place(latitude: 50.09, longitude: 8.66))
        let network = try #require(table.station("VRS"))
        #expect(network.needsPosition && network.isNetwork && network.place == nil)
    }

    @Test func aRowMayEndAfterTheName() throws {
        let station = try #require(Self.table("STR;BASE;").station("BASE"))
        #expect(station.place == nil && !station.needsPosition && !station.sendsRTCM3)
        #expect(Self.table("STR;", "STR").stations.isEmpty)
    }

    @Test(arguments: [
        ("RTCM 3", true), ("RTCM3", true), ("RTCM 3.0", true), ("rtcm 3.4", true), ("RTCM3.2", true), ("RTCM32", true),
        ("RTCM 2.3", false), ("RTCM1_", false), ("CMR+", false), ("SPARTN 2.0", false), ("", false),
    ])
    func formats(spelling: String, isRTCM3: Bool) {
        let table = Self.table("STR;A;x;\(spelling);;2;G;N;D;50;8;0;0;x;none;N;N;0;")
        #expect(table.stations.first?.sendsRTCM3 == isRTCM3)
    }

    /// Attack: a name that would become a header of the next request.
    @Test(arguments: ["A B", "A\u{0}", "A/B", "", "Ä", String(repeating: "x", count: 101), "A\rX: y"])
    func namesThatAreNone(name: String) {
        let table = Self.table("STR;\(name);x;RTCM 3;;2;G;N;D;50;8;0;0;x;none;N;N;0;")
        // A carriage return ends no line, and is dropped.
        #expect(table.stations.isEmpty, "\(table.stations)")
    }

    @Test func longitudesUpTo360() {
        #expect(Place(latitude: 1, longitude: 351.34)?.longitude == 351.34 - 360)
        #expect(Place(latitude: 91, longitude: 0) == nil && Place(latitude: 0, longitude: 361) == nil)
        #expect(Place(latitude: .nan, longitude: 0) == nil && Place(latitude: 0, longitude: .nan) == nil)
    }

    @Test func aTableInAnyPieces() {
        let text = Array(Self.text("STR;A;x;RTCM 3;;2;G;N;D;50;8;0;0;x;none;N;N;0;").utf8)
        for size in 1...text.count {
            var table = SourceTable()
            for start in stride(from: 0, to: text.count, by: size) {
                #expect(table.receive(Array(text[start...].prefix(size))) == true)
            }
            #expect(table.isComplete && table.stations.count == 1)
        }
    }

    /// Attack: a table of a gigabyte, with a line of a gigabyte.
    @Test func aTableIsBounded() {
        var table = SourceTable()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        var count = 0
        while table.receive(piece) { count += piece.count }
        #expect(count == SourceTable.maximumLength)
        var many = SourceTable()
        for index in 0..<2 * SourceTable.maximumStations {
            let row = "STR;S\(index);x;RTCM 3;;2;G;N;D;50;8;0;0;x;none;N;N;0;\r\n"
            #expect(many.receive(Array(row.utf8)) == true)
        }
        #expect(many.stations.count == SourceTable.maximumStations)
    }

    /// Attack: a caster takes over the program that reads its list, and a name becomes a key of the configuration.
    @Test func aStationThatIsPassedOnIsCheckedAgain() throws {
        let table = Self.table(
            Self.row("A", 50.01, 8), Self.row("V", 50, 8, nmea: 1, solution: 1), "STR;N;x;RTCM 3;;1;")
        #expect(table.stations.count == 3)
        for station in table.stations {
            #expect(try JSONDecoder().decode(Station.self, from: JSONEncoder().encode(station)) == station)
        }
        for name in ["A\\nB", "", "A/B"] {
            let text = "{\"mount\":\"\(name)\",\"carriers\":2,\"needsPosition\":false,\"isNetwork\":false}"
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Station.self, from: Data(text.utf8)) }
        }
    }

    @Test func theNearestBaseThatSuits() {
        let stations = Self.table(
            Self.row("FAR", 50.2, 8), Self.row("NEAR", 50.05, 8), Self.row("NETWORK", 50, 8, nmea: 1, solution: 1),
            Self.row("OLD", 50, 8, format: "RTCM 2.3"), Self.row("NONE", 50, 8, carriers: 0),
            Self.row("SINGLE", 50.04, 8, carriers: 1), Self.row("LONE", 50.15, 8, carriers: 1)
        ).stations
        #expect(Self.choice(from: stations) == "SINGLE")
        #expect(Self.choice(from: stations.filter { $0.mount != "SINGLE" }) == "NEAR")
        // 16 km are too far for one carrier, 39 km for all.
        #expect(Self.choice(from: stations.filter { $0.mount == "LONE" }) == nil)
        #expect(Self.choice(from: Self.table(Self.row("A", 50.35, 8)).stations) == nil)
        #expect(Self.choice(from: Self.table(Self.row("A", 50.31, 8)).stations) == "A")
    }

    @Test func anotherStationMustBeNearerByFiveKilometres() {
        let stations = Self.table(Self.row("A", 50.1, 8), Self.row("B", 50.06, 8), Self.row("C", 50.05, 8)).stations
        #expect(Self.choice(from: stations, current: "A") == "C")
        #expect(Self.choice(from: Array(stations[..<2]), current: "A") == "A")
        #expect(Self.choice(from: Array(stations[..<2]), current: "gone") == "B")
        #expect(Self.choice(from: Array(stations[..<2])) == "B")
    }

    private static func choice(from stations: [Station], current: String? = nil) -> String? {
        NearestStation.choose(for: home, from: stations, current: current)?.mount
    }

    static func row(
        _ name: String, _ latitude: Double, _ longitude: Double, format: String = "RTCM 3.2", carriers: Int = 2,
        nmea: Int = 0, solution: Int = 0
    ) -> String {
        "STR;\(name);x;\(format);;\(carriers);GPS;N;DEU;\(latitude);\(longitude);\(nmea);\(solution);x;none;N;N;9600;"
    }

    static func text(_ rows: String...) -> String { rows.map { "\($0)\r\n" }.joined() + "ENDSOURCETABLE\r\n" }

    static func table(_ rows: String...) -> SourceTable {
        var table = SourceTable()
        for row in rows { _ = table.receive(Array("\(row)\r\n".utf8)) }
        _ = table.receive(Array("ENDSOURCETABLE\r\n".utf8))
        return table
    }
}
