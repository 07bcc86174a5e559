/// The users whose look-ups have been answered in time, for whom a part of the threads is reserved.
///
/// Attack: users whose file systems never answer take one thread after another, until nobody is looked up any more. So
/// those of whom nothing is known yet, and those who were late, share a part of the threads. The others are looked up
/// whatever these do.
///
/// Attack: a user is answered in time at first, then not. So who was late once is among the others for an hour.
public struct LookupStanding: Sendable {
    /// The time for which a look-up that was late counts, in nanoseconds.
    static let memory: UInt64 = 3_600_000_000_000
    /// The maximum number of users who are remembered as prompt. Forgotten ones are prompt again after a look-up.
    static let maximumCount = 10_000

    private let isLoggedIn: @Sendable (UInt32) -> Bool
    private var prompt: Set<UInt32> = []
    /// The times when users were last late. Each of them held a thread until then, so they are few.
    private var late: [UInt32: UInt64] = [:]

    /// - Parameter isLoggedIn: Returns whether a user has a session. Such a user counts as prompt from the start.
    public init(isLoggedIn: @escaping @Sendable (UInt32) -> Bool = Login.isLoggedIn) {
        self.isLoggedIn = isLoggedIn
    }

    /// Returns whether a user's look-up may use the reserved threads.
    ///
    /// - Parameter now: The time in nanoseconds, on any clock that does not jump.
    public func isReserved(for user: UInt32, at now: UInt64) -> Bool {
        if user == 0 { return true }
        if let time = late[user], now < time + Self.memory { return false }
        return prompt.contains(user) || isLoggedIn(user)
    }

    /// Notes that a user's look-up was answered in time.
    public mutating func noteAnswer(of user: UInt32) {
        if prompt.count >= Self.maximumCount { prompt = [] }
        prompt.insert(user)
    }

    /// Notes that a user's look-up was not answered in time.
    public mutating func noteDelay(of user: UInt32, at now: UInt64) {
        late = late.filter { now < $0.value + Self.memory }
        late[user] = now
        prompt.remove(user)
    }
}
