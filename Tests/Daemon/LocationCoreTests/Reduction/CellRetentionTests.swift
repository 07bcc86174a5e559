import AuthorizationPolicy
import EventLoopSupport
import Foundation
import LocationModel
import Logging
import NIOCore
import NIOPosix
import Positioning
import TestSupport
import Testing

@testable import LocationCore

/// The end of the last cell of reduced accuracy: with the last grant that needs it, or because a user wants that.
@Suite struct CellRetentionTests {
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder
    private let state: String
    private let store: Store
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let weather = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/weather")!)
    private let weatherOfAnother = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/weather")!)

    init() throws {
        folder = try TemporaryFolder()
        state = folder.path + "/state"
        store = try Store(inNewFolder: state)
    }

    /// The service without receivers, with a database that has a cell and decisions.
    private func service(_ decisions: [AppKey: Decision]) async throws -> NIOLoopBound<Core> {
        for (app, decision) in decisions { try await store.record(decision, about: app, on: loop).get() }
        let then = Timestamp(millisecondsSince1970: 1_700_000_000_000)
        var reducer = AccuracyReducer(secret: Store.testSecret, state: nil)
        #expect(reducer.reduce(Location(timestamp: then, latitude: -77.8, longitude: 166.7), at: then) != nil)
        try await store.write(reducer.state, on: loop).get()
        #expect(hasCell)
        let settings = ServiceSettings(
            runtimeDirectory: folder.path, stateDirectory: state, receivers: [], limits: Limits(), version: "1")
        return try await loop.submit { [loop] in
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let core = try Core(settings, poller: try DescriptorPoller(on: loop), on: loop, log: log) { $0.json }
            core.start(settings)
            return NIOLoopBound(core, eventLoop: loop)
        }.get()
    }

    /// A Boolean value indicating whether the database has a cell.
    private var hasCell: Bool { store.loadReducerState()?.hasCell == true }

    private func decide(_ decision: Decision?, _ app: AppKey, _ core: NIOLoopBound<Core>) async throws {
        try await loop.flatSubmit { [loop] in
            do {
                return try core.value.broker.decide(decision, about: app)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    private func clear(_ uid: UInt32, _ core: NIOLoopBound<Core>) async throws {
        try await loop.flatSubmit { core.value.cellRetention.clear(for: uid) }.get()
    }

    private func stop(_ core: NIOLoopBound<Core>) async throws {
        try await loop.flatSubmit { core.value.stop() }.get()
    }

    private static let reduced = Decision(level: .whenInUse, accuracy: .reduced)

    /// The cell is off the disk when the decision is acknowledged.
    @Test(arguments: [nil, Decision.denied]) func itEndsWithTheLastReducedGrant(decision: Decision?) async throws {
        let core = try await service([
            maps: Decision(level: .always), weather: Self.reduced, weatherOfAnother: Self.reduced,
        ])
        try await decide(decision, weather, core)
        #expect(hasCell, "another app has reduced accuracy")
        try await decide(decision, weatherOfAnother, core)
        #expect(!hasCell)
        try await stop(core)
    }

    @Test func itEndsWhenTheLastReducedGrantBecomesFull() async throws {
        let core = try await service([weather: Self.reduced])
        try await decide(Decision(level: .always, accuracy: .reduced), weather, core)
        #expect(hasCell)
        try await decide(Decision(level: .always), weather, core)
        try await eventually("the end of the cell") { !hasCell }
        try await stop(core)
    }

    /// The power was cut before it was erased.
    @Test(arguments: [nil, Decision.denied, Decision(level: .always)])
    func oneThatIsLeftOverIsErasedAtTheStart(decision: Decision?) async throws {
        let core = try await service(decision.map { [maps: $0] } ?? [:])
        try await eventually("the end of the cell") { !hasCell }
        try await stop(core)
    }

    /// "Until tomorrow" has ended while the service was not running.
    @Test func itEndsWithAGrantThatEndsByItself() async throws {
        let core = try await service([
            weather: Decision(level: .whenInUse, accuracy: .reduced, lifetime: .until(secondsSince1970: 1_700_000_001))
        ])
        try await eventually("the end of the cell") { !hasCell }
        try await stop(core)
    }

    @Test func aUserForgetsIt() async throws {
        let core = try await service([weather: Self.reduced])
        try await clear(1000, core)
        #expect(!hasCell)
        try await stop(core)
    }

    /// Attack: a user has the cell forgotten again and again, and another user's apps get no location.
    @Test func aUserDoesNotForgetItForAnother() async throws {
        let core = try await service([weather: Self.reduced, weatherOfAnother: Self.reduced])
        try await clear(1000, core)
        #expect(hasCell)
        try await decide(nil, weatherOfAnother, core)
        #expect(hasCell, "the user's own app has reduced accuracy")
        try await clear(1000, core)
        #expect(!hasCell)
        try await stop(core)
    }
}
