internal import LocationModel

extension AccuracyReducer {
    /// The state that survives restarts: the last cell that was reported, and its timestamp.
    ///
    /// Without it, a restart would forget from which side of a border the device came, and so reveal that the
    /// device is within the margin of a border. It would also settle or search a quarter a second time. The state
    /// holds no position other than the cell.
    public struct State: Codable, Sendable, Equatable {
        /// A quarter of an hour that was settled.
        struct Settled: Codable, Sendable, Equatable {
            var row: Int
            var column: Int
            /// The beginning of the quarter. Older versions have stored a moment within it.
            var tick: Timestamp
            var simulated: Bool

            var cell: ReductionGrid.Cell { ReductionGrid.Cell(row: row, column: column) }
        }

        /// A keyed hash that distinguishes one secret from another and reveals nothing about either.
        ///
        /// Without this check, a cell of another secret's grid would be reported for as long as the margin allows,
        /// and so show where the two grids overlap.
        let mark: Int64
        var settled: Settled?
        /// The beginning of the last quarter that was searched.
        var searched: Timestamp?

        /// Returns whether the state belongs to the secret with that mark and its values are possible.
        func isValid(mark: Int64) -> Bool {
            guard mark == self.mark else { return false }
            guard let settled else { return true }
            return ReductionGrid.contains(settled.cell)
                && AccuracyReducer.years.contains(settled.tick.millisecondsSince1970)
                && settled.tick.millisecondsSince1970 % 1000 == 0
        }
    }
}
