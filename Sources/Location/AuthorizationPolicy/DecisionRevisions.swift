internal import LocationModel

/// The revisions of decisions. A revision is a number that changes with each change of a decision, so that a caller can
/// name the decision that it has seen.
///
/// Attack: a user learns from the revisions of their own apps how often another user decides. So each user's revisions
/// count only that user's changes.
struct DecisionRevisions: Sendable {
    private let first: UInt64
    /// The number of changes so far, by user.
    private var counts: [UInt32: UInt64] = [:]
    /// The number of the last change of each app that has a decision.
    private var changes: [AppKey: UInt64] = [:]
    /// The number of the last change of each user that left an app without a decision. All of the user's apps without a
    /// decision share it, so that the table does not grow with apps that were reset.
    private var removals: [UInt32: UInt64] = [:]

    /// - Parameter first: The revision of everything that has not changed yet.
    init(first: UInt64) { self.first = first }

    /// The revision of the app's decision, or of its absence.
    subscript(key: AppKey) -> UInt64 { first + (changes[key] ?? removals[key.uid] ?? 0) }

    /// Counts a change of the app's decision. `isKept` is `false` if the app is left without a decision.
    mutating func change(_ key: AppKey, isKept: Bool) {
        let count = (counts[key.uid] ?? 0) + 1
        counts[key.uid] = count
        changes[key] = isKept ? count : nil
        if !isKept { removals[key.uid] = count }
    }
}
