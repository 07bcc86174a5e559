internal import Foundation
internal import GRDB
internal import LocationModel

/// The facts about an opened queue.
struct QueueFacts: Sendable {
    /// The name of the queue, in the identities of its reports.
    let name: String
    /// The check value of the key of the queue's contents, or `nil` if they are in the clear.
    let keyCheck: [UInt8]?
    /// The time of the last location ever put into the queue, or `nil` if there was none.
    let lastTime: Timestamp?
    /// The number of the last report ever put into the queue, or 0 if there was none.
    let last: Int64
    /// The number of reports.
    let count: Int
    /// The number of reports that the server has refused.
    let refusedCount: Int
    /// The size of the reports, in bytes.
    let bytes: Int

    /// Reads the facts.
    init(_ database: Database) throws {
        name = try String.fetchOne(database, sql: "SELECT name FROM queue") ?? ""
        keyCheck = try Data.fetchOne(database, sql: "SELECT keyCheck FROM queue").map { Array($0) }
        let time = try Int64.fetchOne(database, sql: "SELECT lastTime FROM queue")
        lastTime = time.map { Timestamp(millisecondsSince1970: $0) }
        last = try Self.last(database)
        count = try Int.fetchOne(database, sql: "SELECT count(*) FROM report") ?? 0
        refusedCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM refused") ?? 0
        bytes = try Int.fetchOne(database, sql: "SELECT coalesce(sum(length(content)), 0) FROM report") ?? 0
    }

    /// Returns the number of the last report ever put into the queue, or 0 if there was none.
    static func last(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'report'") ?? 0
    }
}
