internal import GRDB
internal import JSON
internal import LocationModel
internal import NIOCore
internal import Positioning

/// The reducer's state over restarts, as JSON in the one row of its table.
extension Store {
    /// Returns the stored state, or `nil` if there is none that is understood.
    func loadReducerState() -> AccuracyReducer.State? {
        guard
            let text = try? read({ try String.fetchOne($0, sql: "SELECT state FROM reduction WHERE id = 1") }) ?? nil,
            let value = try? JSONValue(parsing: Array(text.utf8).span)
        else { return nil }
        return try? value.decoded(as: AccuracyReducer.State.self)
    }

    /// Writes the state, replacing the older one. Succeeds once that is on the disk.
    ///
    /// - Parameter erasing: `true` if older states must leave no trace in the files: a cell was forgotten.
    func write(
        _ state: AccuracyReducer.State, erasing: Bool = false, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        var writer = JSONWriter()
        do { try writer.value(encoding: state) } catch {
            return loop.makeFailedFuture(Failure(description: "the reducer's state cannot be encoded: \(error)"))
        }
        let text = writer.text
        return write(on: loop, erasing: erasing) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO reduction (id, state) VALUES (1, ?)", arguments: [text])
        }
    }
}
