import AuthorizationPolicy
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// The rows that the schema shows as examples are what the daemon writes.
@Suite struct StoredRowsTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder
    private let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)
    private let then = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// Writes a row of each table.
    private func write(to store: Store) async throws {
        let decision = Decision(
            level: .whenInUse, accuracy: .reduced, lifetime: .until(secondsSince1970: 1_800_086_400))
        try await store.record(decision, about: maps, on: loop).get()
        try await store.setServicesEnabled(false, for: 1001, on: loop).get()
        var location = Location(timestamp: then, latitude: 52.5, longitude: 13.4)
        location.horizontalAccuracy = 4
        let monitoring = MonitoringRecord(
            app: maps, kind: .significantChanges, wake: "/run/user/1000/maps", since: then, lastDelivered: location)
        try await store.write(.put(monitoring), on: loop).get()
        var region = CircularRegion(identifier: "home", latitude: 52.5, longitude: 13.4, radius: 150)
        region.notifyOnExit = false
        let record = RegionRecord(app: maps, region: .circle(region), wake: nil, since: then, state: .inside)
        try await store.write(.putRegion(record), on: loop).get()
        let event = PendingEvent(
            app: maps, kind: .region, subject: "home", json: #"{"identifier":"home","state":"inside"}"#)
        try await store.write(.putPending(event), on: loop).get()
        let visit = Visit(latitude: 52.5, longitude: 13.4, horizontalAccuracy: 20, arrival: then)
        try await store.write(.putVisit(VisitRecord(uid: 1000, visit: visit)), on: loop).get()
        let key = AccessLogRow.Key(app: maps, hour: then, accuracy: .full, inBackground: false)
        let tally = AccessLogRow.Tally(deliveries: 60, lastDelivery: then)
        try await store.add([AccessLogRow(key: key, tally: tally)], forgettingBefore: then, reached: then, on: loop)
            .get()
        try await store.write(SerialSettings(9600), ofDevice: "0403:6001 A50285BI", on: loop).get()
        let modem = SwitchedModem(
            bus: "8a7b0e6a31ce4f1fa1d4b5d7652fb3c1", service: ":1.7", path: "/org/freedesktop/ModemManager1/Modem/0")
        try await store.insert(modem, on: loop).get()
    }

    @Test func theExamplesOfTheSchemaAreStored() async throws {
        let path = folder.path + "/locationd.db"
        let store = Store(path: path, timestamp: "then")
        try await write(to: store)
        let rows = try Store.behindItsBack(path) { database in
            try [
                "decision", "servicesOff", "monitoring", "region", "pendingEvent", "visit", "accessLog",
                "serialSettings", "modem", "retention",
            ].map {
                let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM \($0)"))
                return "\($0): " + row.map { "\($0) \(text($1))" }.joined(separator: ", ")
            }
        }
        let schema = try Project.text("Sources/Daemon/LocationCore/Store/Store+Schema.swift")
        let comment = schema.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }
            .map { $0.dropFirst(3).drop { $0 == " " } }.joined(separator: " ")
        for row in rows { #expect(comment.contains(row), "\(row)") }
    }

    private func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): "\(data.count) bytes"
        }
    }
}
