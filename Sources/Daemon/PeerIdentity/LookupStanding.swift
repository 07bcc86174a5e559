/// The users whose lookups are answered in time. Part of the threads is reserved for them.
///
/// Attack: users whose file systems never answer occupy one thread after another, until no other user can be looked up.
/// So users who are still unknown, and users who were late, share part of the threads. Lookups of the others go ahead
/// regardless.
///
/// Attack: a user is answered in time at first, and then no longer. So a user who was late counts as late for an hour.
public struct LookupStanding: Sendable {
    /// The time that a late lookup counts, in nanoseconds.
    static let memory: UInt64 = 3_600_000_000_000
    /// The maximum number of users who are remembered as prompt. A forgotten user is prompt again after the next
    /// lookup.
    static let maximumCount = 10_000

    private let isLoggedIn: @Sendable (UInt32) -> Bool
    private var prompt: Set<UInt32> = []
    /// The times when users were last late. Each of these users held a thread until then, so they are few.
    private var late: [UInt32: UInt64] = [:]

    /// Creates a record that knows no user.
    ///
    /// - Parameter isLoggedIn: Returns whether a user has a session. Such a user counts as prompt from the start.
    public init(isLoggedIn: @escaping @Sendable (UInt32) -> Bool = Login.isLoggedIn) {
        self.isLoggedIn = isLoggedIn
    }

    /// Returns whether a user's lookup may use the reserved threads.
    ///
    /// - Parameter now: The time in nanoseconds, on any clock that does not jump.
    public func isReserved(for user: UInt32, at now: UInt64) -> Bool {
        if user == 0 { return true }
        if let time = late[user], now < time + Self.memory { return false }
        return prompt.contains(user) || isLoggedIn(user)
    }

    /// Records that a user's lookup was answered in time.
    public mutating func noteAnswer(of user: UInt32) {
        if prompt.count >= Self.maximumCount { prompt = [] }
        prompt.insert(user)
    }

    /// Records that a user's lookup was not answered in time.
    public mutating func noteDelay(of user: UInt32, at now: UInt64) {
        late = late.filter { now < $0.value + Self.memory }
        late[user] = now
        prompt.remove(user)
    }
}
