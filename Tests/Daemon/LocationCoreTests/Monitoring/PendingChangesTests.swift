import LocationModel
import Testing

@testable import LocationCore

/// The order of monitoring changes: which are written next, which are dropped, and which calls are answered when.
@Suite struct PendingChangesTests {
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/other")!)
    private typealias Changes = PendingChanges<Int>

    private func put(_ identifier: String, radius: Double = 100, of app: AppKey? = nil) -> MonitoringChange {
        let region = CircularRegion(identifier: identifier, latitude: 1, longitude: 2, radius: radius)
        let then = Timestamp(millisecondsSince1970: 1_800_000_000_000)
        return .putRegion(
            RegionRecord(app: app ?? maps, region: .circle(region), wake: nil, since: then, state: .unknown))
    }

    /// Returns a short text for each change.
    private func texts(_ changes: [MonitoringChange]?) -> [String]? {
        changes?.map { change in
            switch change {
            case .putRegion(let record):
                "\(record.app.uid) \(record.region.identifier) \(Int(record.region.circle?.radius ?? 0))"
            case .removeRegion(let app, let identifier): "\(app.uid) \(identifier) removed"
            case .putPending(let event): "\(event.app.uid) event \(event.json)"
            case .removePendingEvents(let app): "\(app.uid) events forgotten"
            default: "\(change)"
            }
        }
    }

    @Test func aChangeTakesThePlaceOfAnOlderOneOfItsKey() {
        var changes = Changes()
        for radius in 1...1000 { changes.add(put("a", radius: Double(radius)), radius == 1 ? 1 : nil) }
        changes.add(.removeRegion(maps, identifier: "b"), 2)
        changes.add(put("b", radius: 7), 3)
        #expect(texts(changes.nextBatch()) == ["1000 a 1000", "1000 b 7"])
        // A call that waited for a replaced change is answered once its replacement is written.
        #expect(changes.finishBatch() == [[1], [2, 3]])
        #expect(changes.isEmpty)
    }

    /// A change that affects everything stays after earlier changes and before later ones, even if one of them is
    /// replaced.
    @Test func theLastChangeHolds() {
        func event(_ value: Int) -> MonitoringChange {
            .putPending(PendingEvent(app: maps, kind: .visit, subject: "", json: "\(value)"))
        }
        var changes = Changes()
        changes.add(event(1))
        changes.add(.removePendingEvents(maps))
        #expect(texts(changes.nextBatch()) == ["1000 event 1", "1000 events forgotten"])
        _ = changes.finishBatch()
        changes.add(event(1))
        changes.add(.removePendingEvents(maps))
        changes.add(event(2))
        #expect(texts(changes.nextBatch()) == ["1000 events forgotten", "1000 event 2"])
    }

    /// Attack: a change that waits when the app's grant ends would write again what is erased with the grant.
    @Test func theChangesOfAnAppAreDropped() {
        var changes = Changes()
        changes.add(put("a"), 1)
        changes.add(put("b", of: AppKey(uid: 1000, app: other.app)), 2)
        changes.add(.removeRegion(maps, identifier: "c"), 3)
        changes.add(put("d", of: other), 4)
        #expect(changes.drop(of: 1000) { $0.app == maps } == [1, 3])
        #expect(changes.drop(of: 1000) { $0.app == maps } == [])
        #expect(texts(changes.nextBatch()) == ["1000 b 100", "1001 d 100"])
        // What is being written is written.
        #expect(changes.drop(of: 1000) { _ in true } == [])
        #expect(changes.finishBatch() == [[2], [4]])
        changes.add(put("a"), 5)
        #expect(changes.drop(of: 1000) { _ in true } == [5])
        #expect(changes.isEmpty)
        #expect(changes.nextBatch() == nil)
    }

    @Test func oneBatchAtATime() {
        var changes = Changes()
        changes.add(put("a"), 1)
        #expect(texts(changes.nextBatch()) == ["1000 a 100"])
        // A change that is being written is not replaced.
        changes.add(put("a", radius: 5), 2)
        #expect(changes.nextBatch() == nil)
        #expect(changes.finishBatch() == [[1]])
        #expect(!changes.isEmpty)
        #expect(texts(changes.nextBatch()) == ["1000 a 5"])
        #expect(changes.finishBatch() == [[2]])
        #expect(changes.nextBatch() == nil)
        #expect(changes.isEmpty)
    }

    /// Attack: a user makes as many changes as allowed, and another user's change waits behind all of them.
    @Test func usersTakeTurns() throws {
        var changes = Changes()
        for number in 0..<Changes.maximumPerUser { changes.add(put("\(number)")) }
        changes.add(put("home", of: other), 1)
        let batch = try #require(texts(changes.nextBatch()))
        #expect(batch.count == Changes.batchSize)
        #expect(batch.prefix(3) == ["1000 0 100", "1001 home 100", "1000 1 100"])
        #expect(changes.finishBatch().flatMap(\.self) == [1])
    }

    /// Attack: a user makes changes without end while the disk is slow.
    @Test func aUsersChangesAreBounded() {
        var changes = Changes()
        for number in 0..<Changes.maximumPerUser {
            #expect(changes.isWithinLimit(with: put("\(number)")))
            changes.add(put("\(number)"))
        }
        #expect(!changes.isWithinLimit(with: put("more")))
        #expect(changes.isWithinLimit(with: put("7", radius: 1)))
        #expect(changes.isWithinLimit(with: put("more", of: other)))
        // Changes that the service itself makes are never dropped.
        changes.add(put("more"))
        var written: [String] = []
        while let batch = texts(changes.nextBatch()) {
            written += batch
            _ = changes.finishBatch()
        }
        #expect(written.count == Changes.maximumPerUser + 1)
        #expect(written.last == "1000 more 100")
        #expect(changes.isWithinLimit(with: put("more")))
    }

    /// Attack: a user calls and disconnects again and again, and each call is kept until the disk has written.
    @Test func waitingCallsAreBounded() {
        var changes = Changes()
        for number in 0..<Changes.maximumPerUser {
            #expect(changes.isWithinLimit(with: put("a")))
            #expect(changes.add(put("a", radius: Double(number + 1)), number) == .joined)
        }
        #expect(!changes.isWithinLimit(with: put("a")))
        #expect(changes.add(put("a", radius: 999), 999) == .full)
        #expect(changes.wait(for: put("a").key, 999) == .full)
        #expect(texts(changes.nextBatch()) == ["1000 a 999"])
        #expect(changes.wait(for: put("a").key, 999) == .full)
        #expect(changes.finishBatch() == [Array(0..<Changes.maximumPerUser)])
    }

    @Test func whatIsNotWrittenYetCanBeWaitedFor() {
        var changes = Changes()
        let key = MonitoringChange.removeRegion(maps, identifier: "a").key
        #expect(key == put("a").key)
        #expect(changes.wait(for: key, 1) == .nothing)
        changes.add(put("a"))
        #expect(changes.wait(for: key, 2) == .joined)
        _ = changes.nextBatch()
        #expect(changes.wait(for: key, 3) == .joined)
        #expect(changes.wait(for: put("b").key, 4) == .nothing)
        #expect(changes.finishBatch() == [[2, 3]])
        #expect(changes.wait(for: key, 5) == .nothing)
    }

    /// SQLite compares texts byte by byte.
    @Test func twoFormsOfAnIdentifierAreTwoKeys() {
        #expect(put("caf\u{e9}").key != put("cafe\u{301}").key)
    }
}
