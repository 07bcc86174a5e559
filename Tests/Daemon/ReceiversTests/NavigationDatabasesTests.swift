import Foundation
import LocationModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ReceiverSettings
import TestSupport
import Testing

@testable import Receivers

/// Receivers' navigation databases on the disk.
struct NavigationDatabasesTests {
    private let folder: TemporaryFolder
    private let lines = RecordedLines()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    /// 48.1234567 and 11.1234567 degrees, as receivers have them.
    private let database: [UInt8] = [0x07, 0x07, 0xAF, 0x1C, 0x07, 0x57, 0xA1, 0x06]

    init() throws { folder = try TemporaryFolder() }

    /// A daemon whose clock is ahead by these seconds.
    private func daemon(
        secret: [UInt8]? = [UInt8](0..<32), ahead seconds: Double = 0
    ) async throws -> NIOLoopBound<NavigationDatabases> {
        let (folder, lines, loop) = (folder.path, lines, loop)
        return try await loop.submit {
            let databases = NavigationDatabases(
                in: folder, secret: secret, on: loop,
                clock: { Timestamp(millisecondsSince1970: Int64((Date().timeIntervalSince1970 + seconds) * 1000)) },
                log: Logger(label: "test") { _ in RecordingLog(lines) })
            return NIOLoopBound(databases, eventLoop: loop)
        }.get()
    }

    private func load(_ owner: String, by daemon: NIOLoopBound<NavigationDatabases>) async throws -> [UInt8]? {
        try await loop.flatSubmit {
            let promise = daemon.eventLoop.makePromise(of: [UInt8]?.self)
            daemon.value.load(of: owner) { promise.succeed($0) }
            return promise.futureResult
        }.get()
    }

    /// Keeps the database. Returns once it is on the disk.
    private func keep(_ owner: String, by daemon: NIOLoopBound<NavigationDatabases>) async throws {
        try await loop.submit { [database] in daemon.value.keep(database, of: owner) }.get()
        // Work is done in its order.
        _ = try await load("nobody", by: daemon)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    @Test func theNextDaemonHasIt() async throws {
        try await keep("a", by: daemon())
        #expect(try await load("a", by: daemon()) == database)
        #expect(try await load("b", by: daemon()) == nil)
        #expect(lines.all.isEmpty)
    }

    @Test(arguments: [-100.0, 14_300, 14_500]) func itIsGivenBackForFourHours(ahead: Double) async throws {
        try await keep("a", by: daemon())
        #expect(try await load("a", by: daemon(ahead: ahead)) == (ahead == 14_300 ? database : nil))
        #expect(names.isEmpty == (ahead != 14_300))
    }

    @Test func theOldestOfNineReceiversIsForgotten() async throws {
        let daemon = try await daemon()
        for number in 1...9 { try await keep("\(number)", by: daemon) }
        #expect(names.count == NavigationDatabases.capacity)
        #expect(try await load("9", by: daemon) == database)
    }

    @Test(arguments: [false, true]) func itIsForgotten(byConfiguration: Bool) async throws {
        try await keep("a", by: daemon())
        let next = try await daemon()
        let other = ReceiverProfile(assistance: [.time])
        try await loop.submit { next.value.follow([nil, other, ReceiverProfile(assistance: [.database])]) }.get()
        #expect(try await load("a", by: next) == database)
        if byConfiguration {
            try await loop.submit { next.value.follow([nil, other]) }.get()
            _ = try await load("a", by: next)
        } else {
            try await loop.flatSubmit { next.value.forget() }.get()
        }
        try await eventually("the end of the files") { names.isEmpty }
        #expect(try await load("a", by: next) == nil)
    }

    @Test func withoutASecretNothingIsKept() async throws {
        let daemon = try await daemon(secret: nil)
        try await keep("a", by: daemon)
        #expect(names.isEmpty)
    }

    @Test("Attack: an attacker with the disk changes a file, or gives it to another receiver.")
    func damagedFiles() async throws {
        let daemon = try await daemon()
        try await keep("a", by: daemon)
        let path = try folder.path + "/" + #require(names.first)
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(content.range(of: Data(database)) == nil)
        content[20] ^= 1
        try content.write(to: URL(fileURLWithPath: path))
        #expect(try await load("a", by: daemon) == nil)
        #expect(
            lines.all == [
                "warning: a receiver starts without its database: \(path) was damaged or exchanged, and is removed"
            ])
        #expect(names.isEmpty)
    }
}
