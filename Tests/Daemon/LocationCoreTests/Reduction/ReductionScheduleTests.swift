import LocationModel
import Positioning
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// What apps with reduced accuracy get, and when: the machine's clock decides, and never the receiver.
@Suite struct ReductionScheduleTests {
    /// A tick, in seconds since 1970.
    private static let tick: Int64 = 1_800_000_000

    /// Returns a machine that starts so many seconds before a tick, with an app that has got its first location.
    private func machine(startingBefore seconds: Int64, isFullWanted: Bool = false) -> ReductionMachine {
        let machine = ReductionMachine(start: Self.tick - seconds)
        machine.isFullWanted = isFullWanted
        machine.isReducedWanted = true
        machine.pass { machine.sources[0].fix(machine.time) }
        #expect(machine.deliveries.count == 1)
        return machine
    }

    /// Passes the seconds up to `end`, counted from the tick. The receiver has a fix where `sky` says so.
    private func pass(_ machine: ReductionMachine, to end: Int64, sky: (Int64) -> Bool = { _ in true }) {
        while machine.time - Self.tick < end {
            machine.pass { if sky(machine.time - Self.tick) { machine.sources[0].fix(machine.time) } }
        }
    }

    /// Returns the seconds after the tick in which something was delivered, after the first location.
    private func seconds(_ machine: ReductionMachine) -> [Int64] {
        machine.deliveries.dropFirst().map { $0.second - (machine.second - (machine.time - Self.tick)) }
    }

    @Test(arguments: [false, true]) func aLocationComesAtTheEndOfTheSearchAtEachTick(isFullWanted: Bool) {
        let machine = machine(startingBefore: 400, isFullWanted: isFullWanted)
        pass(machine, to: 2000)
        #expect(seconds(machine) == [5, 905, 1805])
        // Each has the time of its delivery.
        #expect(
            machine.deliveries.compactMap(\.location?.timestamp.millisecondsSince1970)
                == [-399_800, 5000, 905_000, 1_805_000].map { Self.tick * 1000 + $0 })
    }

    /// Attack: a receiver has no fix over a tick. The fix after that was delivered in its second.
    @Test(arguments: [false, true], [1, 3, 6, 60, 135, 800] as [Int64])
    func theReturnOfTheFixDoesNotShow(isFullWanted: Bool, back: Int64) {
        let machine = machine(startingBefore: 400, isFullWanted: isFullWanted)
        pass(machine, to: 1000) { $0 < -100 || $0 >= back }
        #expect(seconds(machine) == (back < 5 ? [5, 905] : [905]))
    }

    /// Attack: an app asks in each second after a tick. The answers changed in that of the fix, although its location
    /// comes at the end of the search.
    @Test(arguments: [1, 3, 100, 3600]) func theFixDoesNotShowInTheAnswersBeforeTheDelivery(maximumAge: Double) {
        /// The seconds of the answers and the milliseconds of the locations' times, counted from the tick.
        func answers(fix: Int64) -> [String] {
            let machine = machine(startingBefore: 400)
            pass(machine, to: -1) { _ in false }
            var answers: [String] = []
            while machine.time - Self.tick < 12 {
                pass(machine, to: machine.time - Self.tick + 1) { $0 >= fix }
                let time = machine.schedule.lastKnown(maximumAge: maximumAge)?.timestamp.millisecondsSince1970
                answers.append("\(machine.time - Self.tick): \(time.map { String($0 - Self.tick * 1000) } ?? "none")")
            }
            return answers
        }
        let expected = answers(fix: 0)
        #expect([1, 2, 3, 4].allSatisfy { answers(fix: $0) == expected })
        #expect(expected.last == "12: 12000")
    }

    /// Attack: the networks of a remembered place are imitated, and the place settles the quarter before the receiver
    /// has its fix.
    @Test(arguments: [false, true]) func aRememberedPlaceSettlesAQuarterOnlyAtTheEndOfItsSearch(hasFix: Bool) {
        let machine = machine(startingBefore: 400)
        machine.schedule.remembered = { [unowned machine] in
            var place = Location(
                timestamp: Timestamp(millisecondsSince1970: machine.time * 1000), latitude: -30, longitude: 100)
            (place.horizontalAccuracy, place.quality) = (65, .remembered)
            return place
        }
        while machine.time - Self.tick < 100 {
            machine.pass {
                if let place = machine.schedule.remembered() { machine.schedule.observe(remembered: place) }
                if hasFix, machine.time - Self.tick == 3 { machine.sources[0].fix(machine.time) }
            }
        }
        #expect(seconds(machine) == [5])
        #expect(machine.schedule.isOfMemory != hasFix)
    }

    /// Attack: epochs from before the outage waited in the port. They set the receiver's time back, so that the quarter
    /// began with the fix that ended the outage.
    @Test(arguments: [false, true], [-29, -1, 0, 3, 4, 20] as [Int64])
    func epochsThatWaitedBeginAndSettleNothing(isFullWanted: Bool, read: Int64) {
        let machine = machine(startingBefore: 400, isFullWanted: isFullWanted)
        pass(machine, to: read) { $0 < -380 }
        machine.pass {
            for second in -380 ... -340 as ClosedRange<Int64> { machine.sources[0].fix(Self.tick + second) }
        }
        pass(machine, to: 1000) { $0 >= 60 }
        #expect(seconds(machine) == [905])
    }

    /// Attack: a receiver's time jumps or goes back, at a rollover of its week number or by leap seconds.
    @Test(arguments: [-1024 * 604_800, -86_400, -900, -20, 18, 900, 1_000_000] as [Int64])
    func theTimeOfTheReceiverDecidesNothing(jump: Int64) {
        let machine = machine(startingBefore: 400, isFullWanted: true)
        while machine.time < Self.tick + 2000 {
            machine.pass {
                let sinceTick = machine.time - Self.tick
                if sinceTick < -10 { machine.sources[0].fix(machine.time) }
                if sinceTick >= 60 { machine.sources[0].fix(machine.time + jump) }
            }
        }
        #expect(seconds(machine) == [905, 1805])
    }

    /// Attack: the machine's clock is wrong until the receiver sets it. That is at its first fix.
    @Test(arguments: [-100_000_000, -4000, -800, -120, 120, 800, 4000, 100_000_000] as [Int64], [50, 300, 700])
    func aClockThatIsSetAtTheFixShowsNothing(error: Int64, set: Int64) {
        let machine = ReductionMachine(start: Self.tick)
        machine.clockError = error
        machine.isReducedWanted = true
        machine.isFullWanted = true
        while machine.second < 8000 {
            if machine.second == set { machine.setClock(ahead: 0) }
            machine.pass {
                if machine.second > 70, machine.second >= set { machine.sources[0].fix(machine.time) }
            }
        }
        #expect(machine.deliveries.count >= 2)
        // Nothing but the ticks of the clock that was set.
        #expect(machine.deliveries.allSatisfy { $0.second % 900 == 5 })
    }

    /// The clock of a machine without a battery, and no fix that sets it: the receiver keeps time, so it is believed.
    @Test func aWrongClockKeepsNobodyFromALocation() {
        let machine = ReductionMachine(start: Self.tick + 400)
        machine.clockError = -1_000_000_000
        machine.isReducedWanted = true
        for _ in 0..<5 { machine.pass { machine.sources[0].fix(machine.time) } }
        #expect(machine.deliveries.map(\.second) == [3])
    }

    /// An app gets the first fix after it has asked. If there is none within a minute, it waits for the next quarter.
    @Test func anAppThatBeginsWaitsForTheFirstFixOnly() {
        for (back, expected) in [(0, [0]), (7, [7]), (59, [59]), (60, [505]), (61, [505]), (300, [505])]
            as [(Int64, [Int64])]
        {
            let machine = ReductionMachine(start: Self.tick + 400)
            machine.isReducedWanted = true
            while machine.second < 600 {
                machine.pass { if machine.second >= back { machine.sources[0].fix(machine.time) } }
            }
            #expect(machine.deliveries.map(\.second) == expected + (back < 60 ? [505] : []), "\(back)")
        }
    }

    /// Attack: apps subscribe and leave at will. All of them together have one search in a quarter.
    @Test func appsThatComeAndGoHaveOneSearchAQuarter() {
        let machine = ReductionMachine(start: Self.tick + 100)
        var chance = SeededRandom(seed: 5)
        machine.isReducedWanted = true
        for _ in 0..<700 {
            machine.isReducedWanted = Bool.random(using: &chance)
            machine.pass { if machine.second >= 61 { machine.sources[0].fix(machine.time) } }
        }
        #expect(machine.deliveries.isEmpty)
    }

    // MARK: Forgetting

    private struct DiskFull: Error {}

    @Test func aForgottenCellIsErasedAndNotKnownAnyMore() throws {
        let machine = machine(startingBefore: 400)
        #expect(machine.schedule.hasCell && machine.schedule.lastKnown != nil)
        #expect(machine.writes.allSatisfy { !$0.isErasing })
        _ = machine.schedule.forget()
        #expect(!machine.schedule.hasCell)
        #expect(machine.schedule.lastKnown == nil && machine.schedule.lastKnown(maximumAge: 3600) == nil)
        let last = try #require(machine.writes.last)
        #expect(last.isErasing && !last.state.hasCell)
        // There is nothing more to erase.
        let count = machine.writes.count
        _ = machine.schedule.forget()
        #expect(machine.writes.count == count)
        pass(machine, to: 1000)
        #expect(machine.writes.dropFirst(count).allSatisfy { !$0.isErasing })
    }

    /// Attack: a thief gets the disk, and finds in the journal each cell of a journey.
    @Test func aCellThatAnotherReplacesIsErased() {
        let machine = machine(startingBefore: 400)
        pass(machine, to: 1000)
        #expect(machine.writes.allSatisfy { !$0.isErasing }, "it is the same cell")
        let count = machine.writes.count
        while machine.deliveries.count < 4 {
            machine.pass { machine.sources[0].fix(machine.time, latitude: 48) }
        }
        #expect(machine.writes.dropFirst(count).map(\.isErasing).contains(true))
        #expect(machine.writes.last?.isErasing == true)
    }

    /// Attack: the cell is forgotten in the midst of a quarter, and apps come for another one.
    @Test(arguments: [false, true]) func theQuarterOfAForgottenCellBringsNoOther(isFullWanted: Bool) {
        let machine = machine(startingBefore: 400, isFullWanted: isFullWanted)
        pass(machine, to: -300)
        _ = machine.schedule.forget()
        for second in [-250, -200, -100] as [Int64] {
            machine.isReducedWanted = false
            pass(machine, to: second)
            machine.isReducedWanted = true
            pass(machine, to: second + 20)
        }
        pass(machine, to: 1000)
        #expect(seconds(machine) == [5, 905])
    }

    @Test func theSearchThatIsUnderWayEndsWithTheCell() {
        let machine = machine(startingBefore: 400)
        pass(machine, to: 2) { $0 < -10 }
        _ = machine.schedule.forget()
        #expect(machine.schedule.plan == .off)
        pass(machine, to: 1000)
        #expect(seconds(machine) == [905])
    }

    @Test func aLocationThatWaitsForItsDeliveryIsNotDelivered() {
        let machine = machine(startingBefore: 400)
        pass(machine, to: 3)
        _ = machine.schedule.forget()
        pass(machine, to: 1000)
        #expect(seconds(machine) == [905])
    }

    @Test func aLocationThatIsBeingWrittenIsNotDelivered() {
        let machine = ReductionMachine(start: Self.tick - 400)
        machine.holdsWrites = true
        machine.isReducedWanted = true
        machine.pass { machine.sources[0].fix(machine.time) }
        _ = machine.schedule.forget()
        machine.finishWrites()
        #expect(machine.writes.last?.isErasing == true)
        pass(machine, to: 1000)
        #expect(machine.deliveries.count == 2)
        #expect(machine.schedule.lastKnown != nil)
    }

    // MARK: Recalling

    /// The user has changed an app's accuracy to full and back. In the meantime the device has left the cell, which
    /// must not show.
    @Test(arguments: [false, true]) func theForgottenCellOfTheQuarterComesBack(isFullWanted: Bool) throws {
        let machine = machine(startingBefore: 400, isFullWanted: isFullWanted)
        pass(machine, to: -300)
        machine.isReducedWanted = false
        _ = machine.schedule.forget(mayRecall: true)
        #expect(!machine.schedule.hasCell && machine.schedule.lastKnown == nil)
        #expect(try #require(machine.writes.last).isErasing && machine.writes.last?.state.hasCell == false)
        let count = machine.writes.count
        while machine.time < Self.tick - 200 { machine.pass { machine.sources[0].fix(machine.time, latitude: 48) } }
        #expect(machine.writes.count == count)
        machine.isReducedWanted = true
        machine.pass { machine.sources[0].fix(machine.time, latitude: 48) }
        #expect(machine.writes.dropFirst(count).map(\.state.hasCell) == [true])
        #expect(seconds(machine) == [-200])
        let locations = machine.deliveries.compactMap(\.location)
        #expect(locations.count == 2 && locations[0].latitude == locations[1].latitude)
        // It has the time of its delivery, as on a new subscription.
        #expect(locations[1].timestamp.millisecondsSince1970 == (Self.tick - 200) * 1000)
        pass(machine, to: 1000)
        #expect(seconds(machine) == [-200, 5, 905])
    }

    /// Attack: a user's decisions bring an app more than the cell that it would have had without them. Whatever they
    /// are and wherever the device goes, each location is one that a machine delivers where they changed nothing,
    /// because another app kept reduced accuracy.
    @Test(arguments: 0..<20) func decisionsBringNothingThatTheCellOfTheQuarterDoesNot(life: Int) {
        var chance = SeededRandom(seed: UInt64(life))
        let (machine, other) = (machine(startingBefore: 400), machine(startingBefore: 400))
        var latitude = 47.0
        var (decisions, differences) = (0, 0)
        while machine.time < Self.tick + 20 * 900 {
            // At the ticks an app is there, so that both machines settle their quarters at the same moments.
            if (machine.time + 10) % 900 < 20 {
                machine.isReducedWanted = true
            } else if Int.random(in: 0..<50, using: &chance) == 0 {
                machine.isReducedWanted = !machine.isReducedWanted
                if !machine.isReducedWanted { _ = machine.schedule.forget(mayRecall: true) }
                decisions += 1
            }
            latitude += Double.random(in: 0..<0.002, using: &chance)
            for each in [machine, other] { each.pass { each.sources[0].fix(each.time, latitude: latitude) } }
            let isSame = machine.schedule.lastKnown == other.schedule.lastKnown
            if machine.isReducedWanted, !isSame { differences += 1 }
        }
        #expect(differences == 0 && decisions > 100, "\(differences) of \(decisions)")
        func cells(_ machine: ReductionMachine) -> Set<Double> {
            Set(machine.deliveries.compactMap(\.location?.latitude))
        }
        #expect(cells(machine) == cells(other) && cells(other).count > 5)
    }

    /// Attack: a search is the first fix after a garage. Neither a quarter that was searched in vain nor one whose
    /// search was under way brings a cell because of a decision.
    @Test(arguments: [2, 100] as [Int64]) func aQuarterThatHasNoCellDoesNotGetOne(decided: Int64) {
        let machine = machine(startingBefore: 400)
        pass(machine, to: decided) { $0 < -10 }
        machine.isReducedWanted = false
        _ = machine.schedule.forget(mayRecall: true)
        #expect(!machine.schedule.canRecall)
        machine.isReducedWanted = true
        pass(machine, to: 1000)
        #expect(seconds(machine) == [905])
    }

    @Test func aCellThatWaitsForItsDeliveryIsNotRecalled() {
        let machine = machine(startingBefore: 400)
        pass(machine, to: 3)
        _ = machine.schedule.forget(mayRecall: true)
        #expect(!machine.schedule.canRecall)
        machine.isReducedWanted = false
        machine.isReducedWanted = true
        pass(machine, to: 1000)
        #expect(seconds(machine) == [905])
    }

    /// A user clears their places, at once or after the last grant has ended.
    @Test(arguments: [false, true]) func aCellThatAUserClearsIsNotRecalled(isForgottenBefore: Bool) {
        let machine = machine(startingBefore: 400)
        pass(machine, to: -300)
        machine.isReducedWanted = false
        if isForgottenBefore { _ = machine.schedule.forget(mayRecall: true) }
        _ = machine.schedule.forget()
        #expect(!machine.schedule.canRecall)
        machine.isReducedWanted = true
        pass(machine, to: 1000)
        #expect(seconds(machine) == [5, 905])
    }

    /// Nothing of it stays in memory.
    @Test func aCellIsForgottenForGoodAtTheEndOfItsQuarter() {
        let machine = machine(startingBefore: 400)
        pass(machine, to: -300)
        machine.isReducedWanted = false
        _ = machine.schedule.forget(mayRecall: true)
        pass(machine, to: -1)
        #expect(machine.schedule.canRecall)
        pass(machine, to: 1)
        #expect(!machine.schedule.canRecall)
    }

    /// Attack: the disk is full, so that a restart would forget a cell that apps have got.
    @Test func aCellThatIsNotOnTheDiskAgainIsNotDelivered() {
        let machine = machine(startingBefore: 400)
        machine.isReducedWanted = false
        _ = machine.schedule.forget(mayRecall: true)
        machine.writeFailure = DiskFull()
        machine.isReducedWanted = true
        #expect(machine.deliveries.count == 1 && machine.schedule.lastKnown == nil)
    }

    /// The apps that come in a quarter that no app has wanted do not have to wait for the next one.
    @Test func forgettingCostsNoQuarterThatWasNotSearched() {
        let machine = machine(startingBefore: 400)
        machine.isReducedWanted = false
        pass(machine, to: 100)
        _ = machine.schedule.forget()
        machine.isReducedWanted = true
        pass(machine, to: 1000)
        #expect(seconds(machine) == [100, 905])
    }

    /// The disk is full when the cell is forgotten: it is erased by the next write.
    @Test func aCellThatCouldNotBeErasedIsErasedLater() {
        let machine = machine(startingBefore: 400)
        machine.writeFailure = DiskFull()
        _ = machine.schedule.forget()
        #expect(machine.schedule.hasCell && machine.schedule.lastKnown == nil)
        machine.writeFailure = nil
        let count = machine.writes.count
        _ = machine.schedule.forget()
        #expect(machine.writes.dropFirst(count).map { $0.isErasing } == [true])
        #expect(!machine.schedule.hasCell)
    }

    /// A subscription is told of a lost receiver at the end of a search, and of its return with the next location.
    ///
    /// Attack: the receiver of a car is without power in the garage. `receiverFound` came in the second of the first
    /// fix.
    @Test func aReceiverThatReturnsShowsAtTheEndOfASearch() {
        let machine = machine(startingBefore: 400, isFullWanted: true)
        pass(machine, to: -200)
        machine.sources[0].fail(.disconnected)
        pass(machine, to: 300) { _ in
            machine.sources[0].fail(.disconnected)
            return false
        }
        #expect(seconds(machine) == [5])
        #expect(machine.deliveries.last == .availability(false, second: machine.deliveries.last?.second ?? 0))
        pass(machine, to: 1000)
        #expect(seconds(machine) == [5, 905, 905])
        #expect(machine.deliveries.suffix(2).first == .availability(true, second: machine.deliveries.last?.second ?? 0))
    }
}
