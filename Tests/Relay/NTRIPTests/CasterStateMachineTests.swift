import TestSupport
import Testing

@testable import NTRIP

/// When a caster is connected to, what it receives, and when it is left alone.
@Suite struct CasterStateMachineTests {
    typealias Event = CasterStateMachine.Event
    typealias Action = CasterStateMachine.Action

    private static let home = Place(latitude: 50, longitude: 8)!
    private static let bases = SourceTableTests.table(
        SourceTableTests.row("A", 50.01, 8), SourceTableTests.row("B", 50.3, 8),
        SourceTableTests.row("V", 50, 8, nmea: 1, solution: 1))

    private func machine(_ plan: CasterPlan) -> CasterStateMachine { CasterStateMachine(plan) { 0.5 } }

    @Test func aSingleBaseNeedsNoPosition() {
        var machine = machine(.mount("A", position: CasterPlan.Position.none))
        #expect(machine.deadline == nil && !machine.needsLocation)
        #expect(machine.handle(.needed(true), at: 0).last == .connect(mount: "A"))
        #expect(!machine.needsLocation)
        #expect(machine.handle(.answered(.corrections), at: 1) == [.report(.receiving(mount: "A"))])
        #expect(machine.handle(.located(Self.home), at: 2).isEmpty)
        #expect(machine.handle(.needed(true), at: 3).isEmpty)
        #expect(machine.handle(.needed(false), at: 4) == [.disconnect, .report(.unneeded)])
        #expect(machine.handle(.needed(false), at: 4).isEmpty && machine.deadline == nil)
    }

    @Test func aNetworkGetsThePositionAtTheBeginningAndThenInIntervals() {
        var machine = machine(.mount("V", position: .reduced))
        #expect(machine.handle(.needed(true), at: 0) == [.report(.awaitingLocation)])
        #expect(machine.needsLocation && machine.deadline == nil)
        #expect(machine.handle(.located(Self.home), at: 5).last == .connect(mount: "V"))
        #expect(machine.handle(.answered(.corrections), at: 6).first == .sendPosition)
        #expect(machine.deadline == 66)
        #expect(machine.handle(.wake, at: 60).isEmpty)
        #expect(machine.handle(.frame, at: 65).isEmpty)
        #expect(machine.handle(.wake, at: 66) == [.sendPosition])
        // Only a new cell is sent at once.
        #expect(machine.handle(.located(Place(latitude: 50.01, longitude: 8)!), at: 70).isEmpty)
        #expect(machine.handle(.located(Place(latitude: 50.05, longitude: 8)!), at: 71) == [.sendPosition])
        #expect(machine.handle(.frame, at: 100).isEmpty)
        #expect(machine.handle(.wake, at: 126).isEmpty && machine.deadline == 131)
    }

    /// Attack: after a revocation, the caster gets the last known position.
    @Test func aRevokedPositionIsNotSent() {
        var machine = machine(.mount("V", position: .full))
        _ = machine.handle(.needed(true), at: 0)
        _ = machine.handle(.located(Self.home), at: 0)
        _ = machine.handle(.answered(.corrections), at: 0)
        #expect(machine.handle(.unlocated, at: 1).isEmpty)
        #expect(machine.handle(.wake, at: 60).isEmpty)
        #expect(machine.handle(.frame, at: 60).isEmpty)
        _ = machine.handle(.failed("gone"), at: 61)
        #expect(machine.handle(.wake, at: 100) == [.report(.awaitingLocation)])
    }

    @Test(arguments: [("A", false), ("V", true)])
    func theTableSaysWhetherAPositionIsNeeded(mount: String, isNeeded: Bool) {
        var machine = machine(.mount(mount, position: nil))
        #expect(machine.handle(.needed(true), at: 0).last == .connect(mount: nil))
        #expect(!machine.needsLocation)
        #expect(machine.handle(.answered(.sourceTable), at: 1).isEmpty)
        let actions = machine.handle(.tableRead(Self.bases), at: 2)
        #expect(actions == [.disconnect] + (isNeeded ? [.report(.awaitingLocation)] : Self.connect(mount)))
        #expect(machine.needsLocation == isNeeded)
        #expect(machine.listedStation?.place == (isNeeded ? nil : Place(latitude: 50.01, longitude: 8)))
    }

    @Test func theNearestStationIsChosenHere() {
        var machine = machine(.nearest)
        _ = machine.handle(.needed(true), at: 0)
        _ = machine.handle(.answered(.sourceTable), at: 1)
        #expect(machine.handle(.tableRead(Self.bases), at: 2) == [.disconnect, .report(.awaitingLocation)])
        #expect(machine.needsLocation)
        #expect(machine.handle(.located(Place(latitude: 0, longitude: 0)!), at: 3) == [.report(.outOfReach)])
        #expect(machine.handle(.located(Self.home), at: 4) == Self.connect("A"))
        #expect(machine.handle(.answered(.corrections), at: 5) == [.report(.receiving(mount: "A"))])
        // A caster never gets a position for it, and a change of the station waits like any other connection.
        #expect(machine.handle(.located(Place(latitude: 50.2, longitude: 8)!), at: 6) == [.disconnect])
        #expect(machine.deadline == 16)
        #expect(machine.handle(.wake, at: 16) == Self.connect("B"))
        #expect(machine.handle(.located(Place(latitude: 50.16, longitude: 8)!), at: 17).isEmpty)
    }

    @Test func aStationThatIsGoneIsLookedUpAgain() {
        var machine = machine(.nearest)
        _ = machine.handle(.needed(true), at: 0)
        _ = machine.handle(.located(Self.home), at: 0)
        _ = machine.handle(.tableRead(Self.bases), at: 2)
        #expect(machine.handle(.refused(.noMountPoint), at: 3).first == .disconnect)
        #expect(machine.handle(.wake, at: 13).last == .connect(mount: nil))
    }

    @Test(arguments: [
        [Event.refused(.credentials)], [.refused(.redirected)], [.answered(.sourceTable), .tableRead(bases)],
        [.answered(.sourceTable), .failed("gone")],
    ])
    func whatCannotSucceedIsNotRepeated(events: [Event]) {
        var machine = machine(.mount("A", position: CasterPlan.Position.none))
        _ = machine.handle(.needed(true), at: 0)
        let actions = events.flatMap { machine.handle($0, at: 1) }
        guard case .report(.stopped) = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(actions.first == .disconnect && machine.deadline == nil && !machine.needsLocation)
        for event in [Event.needed(false), .needed(true), .wake, .frame, .located(Self.home)] {
            #expect(machine.handle(event, at: 1e6).isEmpty)
        }
    }

    @Test func aMountPointThatTheTableLacksIsNotAskedFor() {
        var machine = machine(.mount("X", position: nil))
        _ = machine.handle(.needed(true), at: 0)
        #expect(
            machine.handle(.tableRead(Self.bases), at: 1)
                == [.disconnect, .report(.stopped("\(CasterRefusal.noMountPoint); it has A, B, V"))])
    }

    /// The names help the administrator, and the list costs one request, which is not refused.
    @Test(
        arguments: [
            (.tableRead(bases), "; it has A, B, V"), (.failed("gone"), ""), (.refused(.credentials), ""),
        ] as [(Event, String)])
    func theListIsReadOnceForTheOtherNames(event: Event, names: String) {
        var machine = machine(.mount("X", position: CasterPlan.Position.none))
        _ = machine.handle(.needed(true), at: 0)
        #expect(machine.handle(.refused(.noMountPoint), at: 1).first == .disconnect)
        #expect(machine.deadline == 11)
        #expect(machine.handle(.wake, at: 11).last == .connect(mount: nil))
        let status = CasterStatus.stopped("\(CasterRefusal.noMountPoint)\(names)")
        #expect(machine.handle(event, at: 12) == [.disconnect, .report(status)])
        #expect(machine.deadline == nil && machine.handle(.needed(true), at: 1e6).isEmpty)
    }

    @Test func theNearestOfManyNamesComeFirst() {
        let rows = (0..<30).map { SourceTableTests.row("M\($0)", 60 - Double($0), 8) }
        var machine = machine(.mount("X", position: .full))
        _ = machine.handle(.needed(true), at: 0)
        _ = machine.handle(.located(Self.home), at: 0)
        let table = SourceTableTests.table(rows.joined(separator: "\r\n"))
        _ = machine.handle(.answered(.sourceTable), at: 1)
        let names = "M10, M11, M9, M12, M8, M13, M7, M14, M6, M15 and 20 others"
        let status = CasterStatus.stopped("\(CasterRefusal.noMountPoint); it has \(names)")
        #expect(machine.handle(.tableRead(table), at: 2).last == .report(status))
    }

    @Test func silenceEndsAConnection() {
        var machine = machine(.mount("A", position: CasterPlan.Position.none))
        _ = machine.handle(.needed(true), at: 0)
        #expect(machine.deadline == 60)
        #expect(machine.handle(.wake, at: 60).first == .disconnect)
        _ = machine.handle(.wake, at: 70)
        _ = machine.handle(.answered(.corrections), at: 71)
        // Corrections that are computed for a place need a moment.
        #expect(machine.deadline == 191)
        _ = machine.handle(.frame, at: 100)
        #expect(machine.deadline == 160)
        #expect(machine.handle(.wake, at: 160).first == .disconnect)
    }

    /// Neither a connection nor an answer makes the delays short again: only a minute of corrections does.
    @Test func onlyCorrectionsMakeTheDelaysShortAgain() {
        var machine = machine(.mount("A", position: CasterPlan.Position.none))
        var now = 0.0
        var delays: [Double] = []
        func attempt(frames: [Double]) {
            _ = machine.handle(.answered(.corrections), at: now)
            for time in frames { _ = machine.handle(.frame, at: now + time) }
            now += (frames.last ?? 0) + 1
            _ = machine.handle(.failed("gone"), at: now)
            delays.append(machine.deadline! - now)
            now = machine.deadline!
            _ = machine.handle(.wake, at: now)
        }
        _ = machine.handle(.needed(true), at: 0)
        for _ in 0..<8 { attempt(frames: []) }
        #expect(delays == [10, 20, 40, 80, 160, 320, 600, 600])
        attempt(frames: [0, 30, 59])
        #expect(delays.last == 600)
        attempt(frames: [0, 30, 60])
        #expect(delays.last == 10)
    }

    /// A caster bans the address of a program that connects too often.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func aDayOfFailuresWithoutAnAttemptWithinTenSeconds(seed: UInt64) {
        let random = RandomFractions(seed: seed)
        let plans: [CasterPlan] = [
            .nearest, .mount("A", position: CasterPlan.Position.none), .mount("V", position: .full),
        ]
        for plan in plans {
            var machine = CasterStateMachine(plan) { random.next() }
            var now = 0.0
            var lastEnd = -Double.infinity
            var attempts = 0
            func handle(_ event: Event) {
                for action in machine.handle(event, at: now) {
                    switch action {
                    case .connect:
                        #expect(now - lastEnd > 9.999_999, "seed \(seed) at \(now)")
                        attempts += 1
                    // The table is followed by the request for one of its stations.
                    case .disconnect: if event != .tableRead(Self.bases) { lastEnd = now }
                    case .sendPosition, .report: break
                    }
                }
            }
            handle(.needed(true))
            while now < 86_400 {
                let events: [Event] = [
                    .failed("gone"), .refused(.unavailable("busy")), .refused(.malformed("x")), .answered(.corrections),
                    .wake, .needed(true), .needed(false), .located(Self.home), .tableRead(Self.bases),
                    .answered(.sourceTable), .frame,
                ]
                // A table in place of corrections ends everything, which another test is about.
                let event = events[Int(random.next() * 10.99)]
                if event != .answered(.sourceTable) || plan == .nearest { handle(event) }
                if event == .needed(false) { handle(.needed(true)) }
                now += random.next() * 5
                if let deadline = machine.deadline, random.next() < 0.3 {
                    now = max(now, deadline)
                    handle(.wake)
                }
            }
            #expect(attempts > 10, "seed \(seed)")
        }
    }

    private static func connect(_ mount: String) -> [Action] {
        [.report(.connecting(mount: mount)), .connect(mount: mount)]
    }
}

/// Random numbers from 0 to 1.
private final class RandomFractions: @unchecked Sendable {
    private var generator: SeededRandom

    init(seed: UInt64) { generator = SeededRandom(seed: seed) }

    func next() -> Double { Double.random(in: 0...1, using: &generator) }
}
