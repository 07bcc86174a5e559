import Testing

@testable import Bus

@Suite struct NameOwnershipStateMachineTests {
    private func retries(_ actions: [NameOwnershipStateMachine.Action]) -> [Double] {
        actions.compactMap { if case .retry(let seconds) = $0 { seconds } else { nil } }
    }

    private func logged(_ actions: [NameOwnershipStateMachine.Action]) -> Int { actions.count - retries(actions).count }

    @Test func theNameIsAcquired() {
        var name = NameOwnershipStateMachine(name: "org.example", served: "served", remedy: "stop it")
        #expect(logged(name.handle(.replied(.owner))) == 1 && name.isOwner)
        #expect(name.handle(.acquired).isEmpty, "the signal comes as well")
    }

    /// Another program has the name: the bus hands it over when that is gone, so there is nothing to try again.
    @Test func aNameThatIsTaken() {
        var name = NameOwnershipStateMachine(name: "org.example", served: "served", remedy: "stop it")
        let actions = name.handle(.replied(.queued))
        #expect(logged(actions) == 1 && retries(actions).isEmpty && !name.isOwner)
        #expect(logged(name.handle(.acquired)) == 1 && name.isOwner)
    }

    @Test func aNameThatIsRefusedIsTriedAgainAndLoggedOnce() {
        var name = NameOwnershipStateMachine(name: "org.example", served: "served", remedy: "stop it")
        var messages = 0
        var delays: [Double] = []
        for _ in 0..<10 {
            let actions = name.handle(.replied(.refused("not allowed")))
            messages += logged(actions)
            delays += retries(actions)
        }
        #expect(messages == 1)
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
        #expect(logged(name.handle(.replied(.owner))) == 1)
        #expect(retries(name.handle(.lost)) == [1])
    }

    @Test func aNameThatIsLost() {
        var name = NameOwnershipStateMachine(name: "org.example", served: "served", remedy: "stop it")
        #expect(name.handle(.lost).isEmpty)
        _ = name.handle(.replied(.owner))
        let actions = name.handle(.lost)
        #expect(logged(actions) == 1 && retries(actions) == [1] && !name.isOwner)
        _ = name.handle(.acquired)
        #expect(name.handle(.disconnected(nil)) == [])
        #expect(!name.isOwner && name.handle(.lost).isEmpty)
    }

    @Test(arguments: [(1, .owner), (2, .queued), (4, .owner)] as [(UInt32, NameOwnershipStateMachine.Reply)])
    func replies(_ code: UInt32, _ reply: NameOwnershipStateMachine.Reply) {
        #expect(NameOwnershipStateMachine.Reply(code) == reply)
    }

    @Test(arguments: [0, 3, 5] as [UInt32])
    func otherReplies(_ code: UInt32) {
        #expect(NameOwnershipStateMachine.Reply(code) == nil)
    }
}
