internal import LocationModel

extension AccuracyReducer {
    /// The state that survives restarts: the last cell that was reported, and its timestamp.
    ///
    /// Without this state, a restart would forget which side of a border the device came from, and so reveal that the
    /// device is within the margin of a border. It would also settle or search a quarter a second time. The state
    /// contains no position other than the cell.
    public struct State: Codable, Sendable, Equatable {
        /// A quarter of an hour that was settled.
        struct Settled: Codable, Sendable, Equatable {
            var row: Int
            var column: Int
            /// The beginning of the quarter.
            var tick: Timestamp
            var simulated: Bool
            /// `true` if a remembered place settled the quarter. Absent in the states of older versions.
            var isOfMemory: Bool?

            var cell: ReductionGrid.Cell { ReductionGrid.Cell(row: row, column: column) }
        }

        /// A keyed hash that distinguishes one secret from another and reveals nothing about either.
        ///
        /// Without this check, a cell of another secret's grid would be reported while the margin allows it, and so
        /// show where the two grids overlap.
        let mark: Int64
        var settled: Settled?
        /// The beginning of the last quarter that was searched.
        var searched: Timestamp?
        /// The beginning of a quarter that yields no cell any more because its cell was forgotten, or `nil` if there is
        /// no such quarter. It is cleared when the next quarter is settled. It reveals no place.
        var forgotten: Timestamp?

        /// A Boolean value indicating whether the state contains a cell.
        public var hasCell: Bool { settled != nil }

        /// Returns whether an earlier state contains a cell that differs from the cell of this state.
        public func isWithoutCell(of earlier: State) -> Bool {
            earlier.settled.map { $0.cell != settled?.cell } ?? false
        }

        /// The beginning of the last quarter that counts as settled.
        var lastSettled: Timestamp? { settled?.tick ?? forgotten }

        /// Returns whether the state belongs to the secret with this mark and its values are possible.
        func isValid(mark: Int64) -> Bool {
            guard mark == self.mark else { return false }
            if let lastSettled {
                guard AccuracyReducer.years.contains(lastSettled.millisecondsSince1970),
                    lastSettled.millisecondsSince1970 % 1000 == 0
                else { return false }
            }
            return settled.map { ReductionGrid.contains($0.cell) } ?? true
        }
    }
}
