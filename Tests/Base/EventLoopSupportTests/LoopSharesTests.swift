import NIOCore
import Testing

@testable import EventLoopSupport

struct LoopSharesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private var shares = LoopShares()

    private mutating func admits(_ uid: UInt32, at now: NIODeadline) -> Bool { shares.admit(uid, at: now) }

    @Test mutating func aUserHasItsShareOfEachPeriod() {
        do {
            let isAdmitted = admits(1, at: start)
            #expect(isAdmitted)
        }
        shares.spend(LoopShares.share - .nanoseconds(1), of: 1)
        do {
            let isAdmitted = admits(1, at: start + .milliseconds(1))
            #expect(isAdmitted)
        }
        shares.spend(.nanoseconds(1), of: 1)
        do {
            let isAdmitted = admits(1, at: start + .milliseconds(2))
            #expect(!isAdmitted)
        }
        #expect(shares.end == start + LoopShares.period)
        do {
            let isAdmitted = admits(1, at: shares.end - .nanoseconds(1))
            #expect(!isAdmitted)
        }
        do {
            let isAdmitted = admits(1, at: shares.end)
            #expect(isAdmitted)
        }
    }

    /// Attack: one user's calls take all of the loop's time.
    @Test mutating func anotherUserHasItsOwn() {
        do {
            let isAdmitted = admits(1, at: start)
            #expect(isAdmitted)
        }
        shares.spend(.seconds(1), of: 1)
        do {
            let isAdmitted = admits(1, at: start)
            #expect(!isAdmitted)
        }
        do {
            let isAdmitted = admits(2, at: start)
            #expect(isAdmitted)
        }
    }
}
