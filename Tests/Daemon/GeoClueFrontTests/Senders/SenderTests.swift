import Testing

@testable import GeoClueFront

@Suite struct SenderTests {
    // MARK: Waiting calls

    @Test func callsKeepTheirOrder() {
        var queue = CallQueue<Int>()
        for call in 0..<10 { #expect(queue.append(call, size: 100) == true) }
        for call in 0..<10 { #expect(queue.popFirst() == call) }
        #expect(queue.popFirst() == nil && queue.isEmpty)
    }

    @Test func theirNumberAndSizeAreLimited() {
        var queue = CallQueue<Int>()
        let accepted = (0..<10_000).filter { queue.append($0, size: 1) }
        #expect(accepted == Array(0..<CallQueue<Int>.maximumCount))
        #expect(queue.removeAll() == accepted && queue.isEmpty)
        #expect(queue.append(1, size: CallQueue<Int>.maximumSize) == true)
        #expect(queue.append(2, size: 1) == false)
        _ = queue.popFirst()
        #expect(queue.append(3, size: CallQueue<Int>.maximumSize + 1) == false)
        #expect(queue.append(4, size: 1) == true)
    }

    // MARK: Identification

    private let maps = SenderIdentification.Credentials(pid: 100, uid: 1000)

    @Test func aBusThatNamesTheProcessIsAskedTwice() {
        var identification = SenderIdentification()
        #expect(identification.begin() == .readCredentials)
        #expect(identification.received(maps) == .openProcess(pid: 100))
        #expect(identification.opened(true) == .confirm)
        #expect(identification.confirmed(pid: 100) == .admit(maps))
    }

    /// Attack: the connection is gone, or another's, when its process has been opened.
    @Test(arguments: [nil, 0, 101] as [Int32?])
    func whatIsNotConfirmedIsRefused(_ pid: Int32?) {
        var identification = SenderIdentification()
        _ = identification.received(maps)
        #expect(identification.confirmed(pid: pid) == .refuse)
    }

    @Test func whatCannotBeReadIsRefused() {
        var identification = SenderIdentification()
        #expect(identification.received(nil) == .refuse)
        #expect(identification.received(.init(pid: 0, uid: 1000)) == .refuse)
        #expect(identification.received(.init(pid: -1, uid: 1000)) == .refuse)
        #expect(identification.opened(false) == .refuse)
        #expect(identification.confirmed(pid: nil) == .refuse)
    }

    // MARK: Match rules

    @Test func eachConnectionHasARuleOfItsOwn() {
        var rules = LeavingRules()
        guard case .add(let rule)? = rules.add(":1.7").first else {
            Issue.record("no rule")
            return
        }
        #expect(rule.hasSuffix(",arg2='',arg0=':1.7'"))
        #expect(rules.add(":1.7").isEmpty)
        #expect(rules.remove(":1.7") == [.remove(rule: rule)])
        #expect(rules.remove(":1.7").isEmpty)
    }

    /// Attack: connections use up the rules that the bus allows the daemon.
    @Test func beyondALimitOneRuleServesAll() {
        var rules = LeavingRules()
        var open: Set<String> = []
        func apply(_ changes: [LeavingRules.Change]) {
            for change in changes {
                switch change {
                case .add(let rule): #expect(open.insert(rule).inserted)
                case .remove(let rule): #expect(open.remove(rule) != nil)
                }
            }
        }
        for number in 0..<2000 { apply(rules.add(":1.\(number)")) }
        #expect(open.count == LeavingRules.maximumCount + 1)
        for number in 0..<1999 { apply(rules.remove(":1.\(number)")) }
        #expect(open.count == 1)
        apply(rules.remove(":1.1999"))
        #expect(open.isEmpty)
    }
}
