internal import Beacons
internal import GRDB
internal import JSON
internal import LocationModel

// Rows of the monitoring tables. A record is `nil` if any part of its row is not understood, or is impossible.

extension MonitoringRecord {
    init?(_ row: Row) {
        guard let app = AppKey(row), let kind = text(row["kind"]).flatMap(MonitoringKind.init(rawValue:)),
            let since = Timestamp(stored: row["since"])
        else { return nil }
        self.init(app: app, kind: kind, wake: text(row["wake"]), since: since, lastDelivered: nil)
        guard !(row["lastDelivered"] as DatabaseValue).isNull else { return }
        guard let json = text(row["lastDelivered"]).flatMap({ try? JSONValue(parsing: $0) }),
            let location: Location = try? json.decoded(), isPlace(location.latitude, location.longitude)
        else { return nil }
        lastDelivered = location
    }

    func write(into database: Database) throws {
        let location = try lastDelivered.map { location in
            var writer = JSONWriter()
            try writer.value(encoding: location)
            return writer.text
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO monitoring (uid, app, kind, wake, since, lastDelivered) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                app.storedUID, app.app.description, kind.rawValue, try wake.map(storable), since.millisecondsSince1970,
                location,
            ])
    }
}

extension RegionRecord {
    init?(_ row: Row) {
        guard let app = AppKey(row), let identifier = text(row["identifier"]),
            identifier.utf8.count <= CircularRegion.maximumIdentifierLength,
            let notifyOnEntry = flag(row["notifyOnEntry"]), let notifyOnExit = flag(row["notifyOnExit"]),
            let since = Timestamp(stored: row["since"]),
            let state = text(row["state"]).flatMap(RegionState.init(rawValue:))
        else { return nil }
        let region: Region
        if var circle = Self.circle(identifier, row) {
            (circle.notifyOnEntry, circle.notifyOnExit) = (notifyOnEntry.value, notifyOnExit.value)
            region = .circle(circle)
        } else if var beacons = Self.beacons(identifier, row) {
            (beacons.notifyOnEntry, beacons.notifyOnExit) = (notifyOnEntry.value, notifyOnExit.value)
            region = .beacons(beacons)
        } else {
            return nil
        }
        self.init(app: app, region: region, wake: text(row["wake"]), since: since, state: state)
    }

    private static func circle(_ identifier: String, _ row: Row) -> CircularRegion? {
        guard (row["uuid"] as DatabaseValue).isNull,
            let latitude = number(row["latitude"]), let longitude = number(row["longitude"]),
            isPlace(latitude, longitude), let radius = number(row["radius"]), CircularRegion.radii.contains(radius)
        else { return nil }
        return CircularRegion(identifier: identifier, latitude: latitude, longitude: longitude, radius: radius)
    }

    private static func beacons(_ identifier: String, _ row: Row) -> BeaconRegion? {
        guard let uuid = text(row["uuid"]) else { return nil }
        let constraint = BeaconConstraint(
            uuid: uuid, major: Int.fromDatabaseValue(row["major"]), minor: Int.fromDatabaseValue(row["minor"]))
        guard BeaconPattern(constraint) != nil else { return nil }
        return BeaconRegion(identifier: identifier, constraint: constraint)
    }

    func write(into database: Database) throws {
        let (circle, beacons) = (region.circle, region.beacons)
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO region (uid, app, identifier, latitude, longitude, radius, uuid, major, minor,
                notifyOnEntry, notifyOnExit, wake, since, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                app.storedUID, app.app.description, try storable(region.identifier), circle?.latitude,
                circle?.longitude, circle?.radius, beacons?.uuid, beacons?.major, beacons?.minor,
                circle?.notifyOnEntry ?? beacons?.notifyOnEntry, circle?.notifyOnExit ?? beacons?.notifyOnExit,
                try wake.map(storable), since.millisecondsSince1970, state.rawValue,
            ])
    }
}

extension PendingEvent {
    init?(_ row: Row) {
        guard let app = AppKey(row), let kind = text(row["kind"]).flatMap(EventKind.init(rawValue:)),
            let subject = text(row["subject"]), let json = text(row["parameters"]),
            case .object? = try? JSONValue(parsing: json)
        else { return nil }
        self.init(app: app, kind: kind, subject: subject, json: json)
    }

    func write(into database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO pendingEvent (uid, app, kind, subject, parameters) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                app.storedUID, app.app.description, kind.rawValue, try storable(subject), try storable(json),
            ])
    }
}

extension VisitRecord {
    init?(_ row: Row) {
        guard let uid = user(row["uid"]), let arrival = Timestamp(stored: row["arrival"]),
            let latitude = number(row["latitude"]), let longitude = number(row["longitude"]),
            isPlace(latitude, longitude),
            let accuracy = number(row["horizontalAccuracy"]), accuracy >= 0, accuracy.isFinite
        else { return nil }
        var visit = Visit(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy, arrival: arrival)
        visit.departure = Timestamp(stored: row["departure"])
        if let departure = visit.departure, departure < arrival { return nil }
        self.init(uid: uid, visit: visit)
    }

    func write(into database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO visit (uid, arrival, latitude, longitude, horizontalAccuracy, departure)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(uid), visit.arrival.millisecondsSince1970, visit.latitude, visit.longitude,
                visit.horizontalAccuracy, visit.departure?.millisecondsSince1970,
            ])
    }
}

extension AppKey {
    /// Creates the key of the app that a row is about.
    init?(_ row: Row) {
        guard let uid = user(row["uid"]), let app = text(row["app"]).flatMap({ AppIdentity($0) }) else { return nil }
        self.init(uid: uid, app: app)
    }

    /// The user id in the form that SQLite stores.
    var storedUID: Int64 { Int64(uid) }
}

extension Timestamp {
    init?(stored value: DatabaseValue) {
        guard let milliseconds = Int64.fromDatabaseValue(value) else { return nil }
        self.init(millisecondsSince1970: milliseconds)
    }
}

/// Returns a text that an app has sent. Throws if it has a NUL: the database would cut it off there.
private func storable(_ text: String) throws -> String {
    guard !text.utf8.contains(0) else { throw Store.Failure(description: "text containing a NUL cannot be stored") }
    return text
}

private func user(_ value: DatabaseValue) -> UInt32? {
    Int64.fromDatabaseValue(value).flatMap(UInt32.init(exactly:))
}

private func text(_ value: DatabaseValue) -> String? { String.fromDatabaseValue(value) }

private func number(_ value: DatabaseValue) -> Double? { Double.fromDatabaseValue(value) }

/// Returns a flag that may be absent, or `nil` if the value is not a flag.
private func flag(_ value: DatabaseValue) -> (value: Bool?, Void)? {
    if value.isNull { return (nil, ()) }
    switch Int64.fromDatabaseValue(value) {
    case 0: return (false, ())
    case 1: return (true, ())
    default: return nil
    }
}

private func isPlace(_ latitude: Double, _ longitude: Double) -> Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
}
