internal import Devices
package import LocationModel
internal import Positioning
package import Receivers

extension ReceiverControl {
    /// A receiver, and the number that identifies it while it is a member.
    package final class Member {
        package let id: Int
        package let receiver: Receiver
        private var fixes: (last: LastFix?, countForAll: Int, lastForAll: LastFix?) = (nil, 0, nil)
        /// The last fix of the receiver, or `nil` if there was none.
        package var lastFix: LastFix? { fixes.last }
        /// The reason for its last loss, or `nil` if it has produced a fix since.
        package internal(set) var failure: ReceiverFailure?
        /// The reasons to doubt its fixes, or `nil` if there are none.
        package var doubts: FixDoubts? { _doubts }
        private var _doubts: FixDoubts?
        /// The number of its losses.
        package internal(set) var losses = 0
        /// The fixes that every manager may know of: all except fixes while ``revealsRegions``.
        package var shownToAll: (count: Int, last: LastFix?) { (fixes.countForAll, fixes.lastForAll) }

        init(id: Int, receiver: Receiver) {
            self.id = id
            self.receiver = receiver
        }

        func remember(_ fix: LastFix, isForAll: Bool) {
            fixes = isForAll ? (fix, fixes.countForAll + 1, fix) : (fix, fixes.countForAll, fixes.lastForAll)
        }

        /// Sets the reasons to doubt its fixes. Returns whether they have changed.
        func setDoubts(_ doubts: FixDoubts?) -> Bool {
            guard doubts != _doubts else { return false }
            _doubts = doubts
            return true
        }

        var candidate: ReceiverSelection.Candidate {
            ReceiverSelection.Candidate(id: id, isFixedPlace: receiver.specification.isFixedPlace)
        }
    }
}
