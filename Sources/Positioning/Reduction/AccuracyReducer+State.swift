internal import LocationModel

extension AccuracyReducer {
    /// What is kept over restarts: the cell that was told last, and of when it is.
    ///
    /// Without it a restart would forget which side of a border the device came from, and so tell that it is within
    /// the margin of one; and it would settle a quarter, or search in it, once more. There is no position in it but the
    /// cell.
    public struct State: Codable, Sendable, Equatable {
        /// A quarter of an hour that was settled.
        struct Settled: Codable, Sendable, Equatable {
            var row: Int
            var column: Int
            /// The timestamp that was told.
            var moment: Timestamp
            var simulated: Bool

            var cell: ReductionGrid.Cell { ReductionGrid.Cell(row: row, column: column) }
            /// When the quarter began.
            var tick: Timestamp { AccuracyReducer.tick(atOrBefore: moment) }

            enum CodingKeys: String, CodingKey {
                case row, column, simulated
                // As in the states of older versions, which knew no moments but ticks.
                case moment = "tick"
            }
        }

        /// Tells one secret from another, and nothing of either: a keyed hash. The cell of another grid would be told
        /// on and on for as long as the margin allows, and so show where both overlap.
        let mark: Int64
        var settled: Settled?
        /// When the last quarter that was searched in began.
        var searched: Timestamp?

        /// Returns whether it is from the secret with that mark, and can be.
        func isValid(mark: Int64) -> Bool {
            guard mark == self.mark else { return false }
            guard let settled else { return true }
            return ReductionGrid.contains(settled.cell)
                && AccuracyReducer.years.contains(settled.moment.millisecondsSince1970)
                && settled.moment.millisecondsSince1970 % 1000 == 0
        }
    }
}
