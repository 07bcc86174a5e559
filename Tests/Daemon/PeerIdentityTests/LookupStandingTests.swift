import Testing

@testable import PeerIdentity

/// The users who are looked up on reserved threads.
@Suite struct LookupStandingTests {
    private static let hour = LookupStanding.memory

    @Test func rootLoggedInAndPromptUsers() {
        var standing = LookupStanding { $0 == 1 }
        #expect(standing.isReserved(for: 0, at: 5))
        #expect(standing.isReserved(for: 1, at: 5))
        #expect(!standing.isReserved(for: 2, at: 5))
        standing.noteAnswer(of: 2)
        #expect(standing.isReserved(for: 2, at: 5))
    }

    /// Attack: a user is prompt, or logs in, and hangs; and is prompt in between, to hang again.
    @Test func whoWasLateIsNotForAnHour() {
        var standing = LookupStanding { $0 == 1 }
        for user in [0, 1, 2] as [UInt32] {
            standing.noteAnswer(of: user)
            standing.noteDelay(of: user, at: 5)
            standing.noteAnswer(of: user)
        }
        #expect(standing.isReserved(for: 0, at: 5))
        for user in [1, 2] as [UInt32] {
            #expect(!standing.isReserved(for: user, at: 5))
            #expect(!standing.isReserved(for: user, at: 4 + Self.hour))
            #expect(standing.isReserved(for: user, at: 5 + Self.hour))
        }
        // Being late is not forgiven by time alone.
        standing.noteDelay(of: 2, at: 5)
        #expect(!standing.isReserved(for: 2, at: 5 + Self.hour))
    }

    /// Attack: an endless series of users, as in a container.
    @Test func theyAreForgottenWhenTheyAreTooMany() {
        var standing = LookupStanding { _ in false }
        let last = UInt32(LookupStanding.maximumCount)
        for user in 1...last { standing.noteAnswer(of: user) }
        #expect(standing.isReserved(for: 1, at: 0))
        standing.noteAnswer(of: last + 1)
        #expect(!standing.isReserved(for: 1, at: 0) && standing.isReserved(for: last + 1, at: 0))
    }
}
