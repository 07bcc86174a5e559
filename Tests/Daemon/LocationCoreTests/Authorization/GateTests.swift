import AuthorizationPolicy
import JSON
import LocationModel
import Logging
import NIOEmbedded
import Positioning
import TestSupport
import Testing

@testable import LocationCore

/// The gate alone, without the other parts that would catch what it lets pass.
@Suite struct GateTests {
    private static let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)

    private func gate(_ decision: Decision, in folder: TemporaryFolder) -> Gate {
        let loop = EmbeddedEventLoop()
        let table = AuthorizationTable(decisions: [Self.maps: decision])
        let machine = AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 })
        let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return Gate(
            broker: AuthorizationBroker(
                machine, store: store, on: loop, clock: { Timestamp(millisecondsSince1970: 1_800_000_000_000) },
                log: log))
    }

    /// An event at a place, which is not the centre of a reduced accuracy's cell unless a test says so.
    private func event(
        accuracy: Double, latitude: Double = 47.123_456, longitude: Double = 8
    ) throws -> PendingEvent {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_800_000_000_000), latitude: latitude, longitude: longitude)
        location.horizontalAccuracy = accuracy
        return try #require(PendingEvent(of: location, for: Self.maps))
    }

    /// Attack: the power is cut when a reduction is on the disk, and the events kept from full-accuracy locations have not
    /// been removed. That they are removed is tested for itself: MonitoringPresenceTests.
    @Test func aKeptExactEventIsNotReleasedUnderReducedAccuracy() throws {
        let folder = try TemporaryFolder()
        let exact = try event(accuracy: 3)
        func released(_ event: PendingEvent, _ accuracy: AccuracyAuthorization) throws -> Bool {
            try gate(Decision(level: .always, accuracy: accuracy), in: folder).release(
                kept: event, as: Location.self, needing: .always, presence: .background) != nil
        }
        #expect(try released(exact, .full))
        #expect(try !released(exact, .reduced))
        // Attack: an exact fix whose receiver states the accuracy of a reduced one.
        let radius = AccuracyReducer.horizontalAccuracy
        #expect(try !released(event(accuracy: radius), .reduced))
        // The grid has 1,990 rows from the equator to a pole, and a column that begins at Greenwich.
        #expect(try released(event(accuracy: radius, latitude: 1042 * 90 / 1990, longitude: 0), .reduced))
        #expect(try !released(event(accuracy: 3, latitude: 1042 * 90 / 1990, longitude: 0), .reduced))
    }

    /// Under a provisional `always`, nothing may be recorded in the background, and everything in use.
    @Test(arguments: [
        (Decision.Level.whenInUse, false), (.provisionalAlways, false), (.always, true), (.denied, false),
    ])
    func whatMayBeRecordedInTheBackground(level: Decision.Level, isRecorded: Bool) throws {
        let gate = gate(Decision(level: level), in: try TemporaryFolder())
        #expect(gate.mayRecord(for: Self.maps, needing: .always) == isRecorded)
        #expect(gate.mayRecord(for: Self.maps, needing: .visits) == (level != .denied))
    }
}

extension PendingEvent {
    /// Creates a significant change that is kept for an app.
    init?(of location: Location, for app: AppKey) {
        var writer = JSONWriter()
        guard (try? writer.value(encoding: location)) != nil else { return nil }
        self.init(app: app, kind: .significantChange, subject: "", json: writer.text)
    }
}
