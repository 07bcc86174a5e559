import Foundation
import LocationModel
import NIOCore
import NIOPosix
import Positioning
import StateFiles
import TestSupport
import Testing

@testable import LocationCore

/// The stored state of the reducer, and the secret that it depends on.
@Suite struct ReductionStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: 0..<16 as Range<UInt8>)
    func theStateOfAnySecretComesBack(byte: UInt8) async throws {
        var reducer = AccuracyReducer(secret: [UInt8](repeating: byte, count: 32), state: nil)
        let tick = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_800_000_000_000), latitude: -33.9, longitude: 18.4)
        let observed = reducer.reduce(tick, at: tick.timestamp)
        let told = try #require(observed)
        let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
        #expect(store.loadReducerState() == nil)
        try await store.write(reducer.state, on: MultiThreadedEventLoopGroup.singleton.next()).get()
        let kept = try #require(store.loadReducerState())
        #expect(kept == reducer.state)
        let again = AccuracyReducer(secret: [UInt8](repeating: byte, count: 32), state: kept)
        #expect(again.lastKnown == told)
    }

    /// A quarter whose cell was forgotten is not searched again after a restart.
    @Test func aForgottenQuarterIsKept() async throws {
        let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)
        var reducer = AccuracyReducer(secret: [UInt8](repeating: 7, count: 32), state: nil)
        #expect(reducer.reduce(Location(timestamp: now, latitude: -33.9, longitude: 18.4), at: now) != nil)
        reducer.forget(at: now)
        let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
        try await store.write(reducer.state, erasing: true, on: MultiThreadedEventLoopGroup.singleton.next()).get()
        let kept = try #require(store.loadReducerState())
        #expect(kept == reducer.state)
        #expect(AccuracyReducer(secret: [UInt8](repeating: 7, count: 32), state: kept).isSearched(at: now))
    }

    private var database: String { folder.path + "/locationd.db" }

    @Test func theSecretIsDrawnOnce() throws {
        let path = folder.path + "/secret"
        let drawn = try Secret.load(path, of: database)
        #expect(drawn.count == Secret.length)
        #expect(Set(drawn).count > 8)
        #expect(try Secret.load(path, of: database) == drawn)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// Attack: a secret is lost for a while. A new secret drawn in its place would put a second grid over the same
    /// places.
    @Test(arguments: [0, 31, 33])
    func aSecretThatIsNotWholeIsNotDrawnAnew(length: Int) throws {
        let path = folder.path + "/secret"
        let bytes = Data(repeating: 7, count: length)
        try bytes.write(to: URL(filePath: path))
        #expect(throws: Secret.Failure.self) { try Secret.load(path, of: database) }
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    /// Attack: the secret is removed, or left out of a backup.
    @Test func aLostSecretIsNotDrawnAgain() throws {
        try Data().write(to: URL(filePath: database))
        #expect(throws: Secret.Failure.self) { try Secret.load(folder.path + "/secret", of: database) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/secret"))
    }

    @Test func aSecretBehindALinkIsNotRead() throws {
        try Data(repeating: 7, count: 32).write(to: URL(filePath: folder.path + "/other"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/secret", withDestinationPath: folder.path + "/other")
        #expect(throws: Secret.Failure.self) { try Secret.load(folder.path + "/secret", of: database) }
    }
}
