import FoundationEssentials
import LocationModel
import Testing

@testable import Positioning

/// The reducer after its cell was forgotten: the remains of the cell, and the updates that the quarter still brings.
@Suite struct ForgottenCellTests {
    private let secret = [UInt8](repeating: 7, count: 32)

    private func fix(_ seconds: Double, latitude: Double = 48.1) -> Location {
        Location(timestamp: ReductionTrial.moment(seconds), latitude: latitude, longitude: 11.5)
    }

    /// Returns a reducer that has settled the quarter that contains a moment.
    fileprivate func settled(at seconds: Double) -> SharedReducer {
        let reducer = SharedReducer(secret: secret, state: nil)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(seconds)))
        #expect(reducer.reduce(fix(seconds)) != nil)
        return reducer
    }

    @Test func nothingOfTheCellIsLeft() throws {
        let reducer = settled(at: 450)
        func text() throws -> String {
            try #require(String(bytes: JSONEncoder().encode(reducer.state), encoding: .utf8))
        }
        let names = ["\"row\"", "\"column\"", "\"simulated\"", "\"settled\""]
        let before = try text()
        #expect(names.allSatisfy { before.contains($0) })
        #expect(reducer.state.hasCell)
        reducer.forget(at: ReductionTrial.moment(500))
        let after = try text()
        #expect(!names.contains { after.contains($0) }, "\(after)")
        #expect(!reducer.state.hasCell)
        #expect(reducer.lastKnown == nil)
    }

    /// Attack: an app has the cell forgotten in the midst of a quarter, and gets a second look. Over restarts too.
    @Test(arguments: [450, 500, 899.999]) func theQuarterBringsNoOtherCell(forgotten: Double) {
        var reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(forgotten))
        for _ in 0..<2 {
            for seconds in [0, 450, 500, 899.999] as [Double] {
                #expect(reducer.isSearched(at: ReductionTrial.moment(seconds)))
                #expect(!reducer.beginSearch(at: ReductionTrial.moment(seconds)))
                #expect(reducer.reduce(fix(seconds)) == nil)
            }
            #expect(reducer.lastKnown == nil)
            reducer = SharedReducer(secret: secret, state: reducer.state)
        }
        #expect(reducer.beginSearch(at: ReductionTrial.moment(900)))
        #expect(reducer.reduce(fix(901)) != nil)
    }

    @Test func theSearchThatIsUnderWaySettlesNothing() {
        let reducer = settled(at: 450)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(910)))
        reducer.forget(at: ReductionTrial.moment(920))
        #expect(reducer.reduce(fix(930)) == nil)
        #expect(!reducer.beginSearch(at: ReductionTrial.moment(940)))
        #expect(reducer.reduce(fix(1800)) != nil)
    }

    /// No app has had a look at this quarter, so the first app that wants one gets it.
    @Test func aQuarterThatWasNotSearchedIsNotLost() {
        let reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(910))
        #expect(!reducer.isSearched(at: ReductionTrial.moment(920)))
        #expect(reducer.beginSearch(at: ReductionTrial.moment(920)))
        #expect(reducer.reduce(fix(930)) != nil)
        #expect(reducer.reduce(fix(940)) == nil)
    }

    /// The margin of the forgotten cell would show the side of a border that the device was on.
    @Test func theNextQuarterIsSettledAsByANewReducer() {
        var differences = 0
        for step in 0..<400 {
            let next = fix(900, latitude: 48.1 + Double(step) / 4000)
            let (forgetful, unchanged) = (settled(at: 450), settled(at: 450))
            forgetful.forget(at: ReductionTrial.moment(450))
            let new = SharedReducer(secret: secret, state: nil)
            let expected = new.reduce(next)
            #expect(forgetful.reduce(next) == expected)
            #expect(forgetful.state.forgotten == nil)
            if unchanged.reduce(next) != expected { differences += 1 }
        }
        #expect(differences > 0)
    }

    /// Attack: the clock is set back, so that the forgotten quarter seems to lie ahead.
    @Test func aClockThatIsSetBackBringsNoOtherCell() {
        let reducer = settled(at: 1800)
        reducer.forget(at: ReductionTrial.moment(1000))
        for seconds in [0, 1000, 1900, 2699] as [Double] {
            #expect(!reducer.beginSearch(at: ReductionTrial.moment(seconds)))
            #expect(reducer.reduce(fix(seconds)) == nil)
        }
        #expect(reducer.beginSearch(at: ReductionTrial.moment(2700)))
        #expect(reducer.reduce(fix(2700)) != nil)
    }

    /// A clock that was years ahead has settled the last quarter.
    @Test func aDateInTheFutureIsForgottenToo() {
        let reducer = settled(at: 1024 * 604_800)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(450)))
        reducer.forget(at: ReductionTrial.moment(460))
        #expect(!reducer.beginSearch(at: ReductionTrial.moment(470)))
        #expect(reducer.reduce(fix(480)) == nil)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(900)))
        #expect(reducer.reduce(fix(900)) != nil)
    }

    @Test(arguments: [450, 500, 899.999]) func theCellOfTheQuarterIsRecalled(moment: Double) {
        let reducer = settled(at: 450)
        let (state, known) = (reducer.state, reducer.lastKnown)
        reducer.forget(at: ReductionTrial.moment(500), mayRecall: true)
        #expect(!reducer.state.hasCell && reducer.lastKnown == nil && reducer.canRecall)
        // Neither a second look nor a search in the meantime.
        #expect(!reducer.beginSearch(at: ReductionTrial.moment(moment)))
        #expect(reducer.reduce(fix(moment, latitude: 49)) == nil)
        #expect(reducer.recall(at: ReductionTrial.moment(moment)) == known)
        #expect(reducer.state == state && !reducer.canRecall)
        #expect(reducer.recall(at: ReductionTrial.moment(moment)) == nil)
    }

    @Test func aCellIsRecalledInItsOwnQuarterOnly() {
        let reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(500), mayRecall: true)
        #expect(reducer.recall(at: ReductionTrial.moment(900)) == nil && !reducer.canRecall)
        // The quarter of the cell was over when it was forgotten; or the next one was searched, in vain so far.
        for isSearched in [false, true] {
            let reducer = settled(at: 450)
            if isSearched { #expect(reducer.beginSearch(at: ReductionTrial.moment(910))) }
            reducer.forget(at: ReductionTrial.moment(920), mayRecall: true)
            #expect(!reducer.canRecall)
        }
    }

    /// Attack: the recall of a cell from before a restart, or from before another one was settled.
    @Test func aRestartAndTheNextCellEndTheRecall() {
        let reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(500), mayRecall: true)
        let again = SharedReducer(secret: secret, state: reducer.state)
        #expect(!again.canRecall && again.recall(at: ReductionTrial.moment(510)) == nil)
        #expect(reducer.reduce(fix(950)) != nil)
        #expect(!reducer.canRecall)
    }

    @Test func aCellThatAUserClearsIsNotRecalled() {
        let reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(500), mayRecall: true)
        reducer.forget(at: ReductionTrial.moment(510))
        #expect(!reducer.canRecall)
        // A second decision changes nothing.
        let other = settled(at: 450)
        for _ in 0..<2 { other.forget(at: ReductionTrial.moment(500), mayRecall: true) }
        #expect(other.canRecall)
    }

    @Test func forgettingNothingChangesNothing() {
        let reducer = SharedReducer(secret: secret, state: nil)
        let state = reducer.state
        reducer.forget(at: ReductionTrial.moment(450))
        #expect(reducer.state == state)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(460)))
        #expect(reducer.reduce(fix(470)) != nil)
    }

    @Test func aStateWithAnImpossibleQuarterIsIgnored() {
        let reducer = settled(at: 450)
        reducer.forget(at: ReductionTrial.moment(460))
        for milliseconds in [.min, 500, .max] as [Int64] {
            var state = reducer.state
            state.forgotten = Timestamp(millisecondsSince1970: milliseconds)
            #expect(AccuracyReducer(secret: secret, state: state).state.forgotten == nil)
        }
    }
}

/// A reducer whose calls may stand in an expectation.
private final class SharedReducer {
    private var reducer: AccuracyReducer

    init(secret: [UInt8], state: AccuracyReducer.State?) { reducer = AccuracyReducer(secret: secret, state: state) }

    var state: AccuracyReducer.State { reducer.state }
    var lastKnown: Location? { reducer.lastKnown }
    func isSearched(at now: Timestamp) -> Bool { reducer.isSearched(at: now) }
    func beginSearch(at now: Timestamp) -> Bool { reducer.beginSearch(at: now) }
    func forget(at now: Timestamp, mayRecall: Bool = false) { reducer.forget(at: now, mayRecall: mayRecall) }
    var canRecall: Bool { reducer.canRecall }
    func recall(at now: Timestamp) -> Location? { reducer.recall(at: now) }
    func reduce(_ location: Location) -> Location? { reducer.reduce(location) }
}
