import Devices
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import Positioning

@testable import LocationCore
@testable import Receivers

/// A machine with receivers whose apps with reduced accuracy are observed, in virtual time, second by second.
final class ReductionMachine {
    /// Something that an app with reduced accuracy got, and the second of the machine's life in which it got it.
    enum Delivery: Equatable {
        case location(Location, second: Int64)
        case availability(Bool, second: Int64)

        var location: Location? { if case .location(let location, _) = self { location } else { nil } }
        var second: Int64 {
            switch self {
            case .location(_, let second), .availability(_, let second): second
            }
        }
    }

    let sources: [FakeSource]
    let control: ReceiverControl
    private(set) var schedule: ReductionSchedule!
    private(set) var deliveries: [Delivery] = []
    /// The time since the machine was started, in seconds, sleep included.
    private(set) var second: Int64 = 0
    /// The seconds by which the machine's clock is ahead of the true time.
    var clockError: Int64 = 0
    /// A Boolean value indicating whether an app with full accuracy needs every fix.
    var isFullWanted = false { didSet { follow() } }
    /// A Boolean value indicating whether an app with reduced accuracy needs a location.
    var isReducedWanted = false { didSet { follow() } }

    /// The states that were written, and whether each write erased the states before it.
    private(set) var writes: [(state: AccuracyReducer.State, isErasing: Bool)] = []
    /// The error of every write, or `nil` if writes succeed.
    var writeFailure: (any Error)?
    /// A Boolean value indicating whether writes wait for ``finishWrites()``.
    var holdsWrites = false
    private var heldWrites: [EventLoopPromise<Void>] = []

    private let loop = EmbeddedEventLoop()
    private let start: Int64

    /// Creates a machine that is started at `start`, in seconds since 1970.
    init(receivers count: Int = 1, start: Int64) {
        self.start = start
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        sources = (0..<count).map { [loop] _ in FakeSource(on: loop) }
        let receivers = sources.map { [loop] in
            Receiver(.simulated(route: nil), name: "fake", on: loop, source: $0)
        }
        control = ReceiverControl(receivers, on: loop, clock: { Timestamp(millisecondsSince1970: 0) }, log: log)
        let reducer = AccuracyReducer(secret: [UInt8](repeating: 7, count: 32), state: nil)
        schedule = ReductionSchedule(
            reducer, receivers: control, on: loop, clock: { [unowned self] in clock }, log: log
        ) { [unowned self] in write($0, isErasing: $1) }
        let delegate = Delegate(self)
        control.delegate = delegate
        schedule.delegate = delegate
    }

    /// Passes on to the machine, which the parts must not retain.
    private final class Delegate: ReceiverControlDelegate, ReductionScheduleDelegate {
        private unowned let machine: ReductionMachine

        init(_ machine: ReductionMachine) { self.machine = machine }

        func publish(_ publication: Publication, receivedAt: NIODeadline) {
            machine.schedule.observe(publication, receivedAt: receivedAt)
        }

        func publish(withoutFix _: ReceiverUpdate) {}
        func publish(_: Heading) {}
        func publish(_: ReceivedBytes) {}

        func publish(reduced location: Location) {
            machine.deliveries.append(.location(location, second: machine.second))
        }

        func publish(availability isAvailable: Bool, to accuracy: AccuracyAuthorization) {
            guard accuracy == .reduced else { return }
            machine.deliveries.append(.availability(isAvailable, second: machine.second))
        }

        func reductionPlanChanged() { machine.follow() }
    }

    private func write(_ state: AccuracyReducer.State, isErasing: Bool) -> EventLoopFuture<Void> {
        writes.append((state, isErasing))
        if let writeFailure { return loop.makeFailedFuture(writeFailure) }
        guard holdsWrites else { return loop.makeSucceededVoidFuture() }
        let promise = loop.makePromise(of: Void.self)
        heldWrites.append(promise)
        return promise.futureResult
    }

    /// Has the writes that wait succeed, and all later ones.
    func finishWrites() {
        holdsWrites = false
        for promise in heldWrites { promise.succeed() }
        heldWrites = []
    }

    /// The true time, in seconds since 1970.
    var time: Int64 { start + second }

    private var fraction = 0

    private var clock: Timestamp {
        Timestamp(millisecondsSince1970: (time + clockError) * 1000 + Int64(fraction))
    }

    private func follow() {
        schedule.setNeeded(isReducedWanted)
        control.follow(schedule.plan.merged(with: isFullWanted ? .continuous : .off))
    }

    /// Passes the second that has begun: its fixes arrive 200 ms after its beginning.
    func pass(_ fixes: () -> Void) {
        advance(200)
        fixes()
        advance(799)
        // The next second begins before its timers run.
        fraction = 0
        second += 1
        loop.advanceTime(by: .milliseconds(1))
    }

    private func advance(_ milliseconds: Int) {
        fraction += milliseconds
        loop.advanceTime(by: .milliseconds(Int64(milliseconds)))
    }

    /// Sets the machine's clock, so that it is ahead by that many seconds.
    func setClock(ahead seconds: Int64) {
        clockError = seconds
        schedule.clockChanged()
    }

    /// Has the machine sleep.
    func sleep(_ seconds: Int64) {
        second += seconds
        control.woke(after: .seconds(seconds))
        schedule.clockChanged()
    }
}
