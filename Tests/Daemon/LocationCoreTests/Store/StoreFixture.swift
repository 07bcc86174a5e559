import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore

@testable import LocationCore

/// A store with a fixed secret.
extension Store {
    /// The time to wait for a lock, in seconds. A store on its way out may be closing the file on its thread, which may
    /// be held up meanwhile.
    static let testBusyTimeout = 60.0
    static let testSecret = [UInt8](100..<132)
    static let testChecksum = RowChecksum(secret: testSecret)

    init(path: String, timestamp: String, busyTimeout: Double = Store.testBusyTimeout) {
        self.init(path: path, secret: .success(Self.testSecret), timestamp: timestamp, busyTimeout: busyTimeout)
    }

    /// Creates the state folder of a service, with the store in it.
    init(inNewFolder folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Data(Self.testSecret).write(to: URL(filePath: folder + "/secret"))
        self.init(path: folder + "/locationd.db", timestamp: "then")
    }

    /// Writes one change in a transaction of its own.
    func write(_ change: MonitoringChange, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write([change], on: loop).flatMapThrowing { failures in
            if let failure = failures[0] { throw failure }
        }
    }

    /// Opens the database as a store does, reads the decisions, and closes it.
    static func decisions(at path: String) throws -> StoredDecisions {
        let queue = try openSound(path, busyTimeout: testBusyTimeout)
        defer { try? queue.close() }
        return try queue.read { try StoredDecisions($0, testChecksum) }
    }

    /// Accesses the database behind the daemon's back. Waits for a lock, because a store on its way out may be
    /// closing the file.
    static func behindItsBack<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.busyMode = .timeout(testBusyTimeout)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let value = try queue.writeWithoutTransaction(body)
        try queue.close()
        return value
    }
}

extension DecisionRow {
    static func insert(_ decision: Decision, about key: AppKey, into database: Database) throws {
        try insert(decision, about: key, Store.testChecksum, into: database)
    }
}
