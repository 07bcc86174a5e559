/// Counts the questions to the authority that are open, for each user.
///
/// Attack: a user keeps asking, from as many connections as there may be, and never answers the dialogs. Then the bus,
/// which allows the daemon 128 calls without a reply, accepts no questions of other users. So each user has a few of
/// them, and subordinate user IDs count as their owner.
///
/// Attack: eight users ask as often as each may. So a user may have at most a quarter of the questions left.
struct QuestionQuota {
    /// The maximum number of open questions.
    static let maximumCount = 64
    /// The maximum number of one user's open questions: a dashboard asks for each of its lists at once.
    static let maximumCountPerUser = 8

    private var counts: [UInt32: Int] = [:]
    private(set) var count = 0

    /// Counts a question of a user. Throws if there are too many.
    mutating func enter(_ user: UInt32) throws(ManagementRefusal) {
        guard count < Self.maximumCount else { throw .limitExceeded("questions") }
        let limit = min(Self.maximumCountPerUser, max(1, (Self.maximumCount - count) / 4))
        guard counts[user, default: 0] < limit else { throw .limitExceeded("questionsPerUser") }
        counts[user, default: 0] += 1
        count += 1
    }

    /// Counts the end of a question of a user.
    mutating func leave(_ user: UInt32) {
        count -= 1
        counts[user] = counts[user].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
