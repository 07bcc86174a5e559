extension AccuracyReducer {
    /// What is kept over restarts: the cell that was told last, and for which tick.
    ///
    /// Without it a restart would forget which side of a border the device came from, and so tell that it is within
    /// the margin of one; and it would settle a tick once more. There is no position in it but the cell.
    public struct State: Codable, Sendable, Equatable {
        /// A tick that was settled.
        struct Settled: Codable, Sendable, Equatable {
            var row: Int
            var column: Int
            var tick: Timestamp
            var simulated: Bool

            var cell: ReductionGrid.Cell { ReductionGrid.Cell(row: row, column: column) }
        }

        /// Tells one secret from another, and nothing of either: a keyed hash. The cell of another grid would be told
        /// on and on for as long as the margin allows, and so show where both overlap.
        let mark: Int64
        var settled: Settled?

        /// Whether it is from the secret with that mark, and can be.
        func isValid(mark: Int64) -> Bool {
            guard mark == self.mark else { return false }
            guard let settled else { return true }
            return ReductionGrid.contains(settled.cell)
                && AccuracyReducer.years.contains(settled.tick.millisecondsSince1970)
                && AccuracyReducer.tick(atOrBefore: settled.tick) == settled.tick
        }
    }
}
