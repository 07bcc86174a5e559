import NIOCore
import NMEA
import TimeTransfer

/// Measures the arrival of the first byte of each epoch of a serial receiver.
///
/// A receiver sends each epoch in a burst and then pauses. The first byte after the pause has waited for no other byte,
/// so its arrival is as regular as the receiver is. An arrival is known only if the epoch's first sentence begins the
/// burst, and if the burst contains no other epoch: several arrive together if nothing was read for a while, or if the
/// receiver does not pause.
struct BurstTimer {
    /// The length of silence that separates two bursts. USB adapters hold bytes back for 16 ms.
    static let pause = TimeAmount.milliseconds(30)

    private struct Burst {
        let mark: UInt32
        let clocks: ClockReading
        /// The numbers of epochs that the decoder had begun before the burst, and by its last byte.
        let before: UInt64
        var after: UInt64
    }

    private var current: Burst?
    private var previous: Burst?
    private var lastRead: NIODeadline?
    private var lastMark: UInt32 = 0
    /// The epoch that was completed since the last `removeOutcome(epochsBegun:)`.
    private var completed: Epoch?
    private var completedCount = 0

    /// Records that bytes were read. Returns the mark for them if they begin a burst.
    ///
    /// - Parameters:
    ///   - wallClock: The time by the wall clock, in nanoseconds since 1970.
    ///   - epochsBegun: The number of epochs that the decoder had begun before these bytes.
    mutating func didRead(at now: NIODeadline, wallClock: Int64, epochsBegun: UInt64) -> UInt32? {
        defer { lastRead = now }
        // The first bytes after the port was opened may continue a burst.
        guard let lastRead, now - lastRead >= Self.pause else { return nil }
        lastMark = lastMark == .max ? 1 : lastMark + 1
        current?.after = epochsBegun
        previous = current
        current = Burst(
            mark: lastMark, clocks: ClockReading(wall: wallClock, steady: Int64(clamping: now.uptimeNanoseconds)),
            before: epochsBegun, after: epochsBegun)
        return lastMark
    }

    /// Records that an epoch is complete.
    mutating func didComplete(_ epoch: Epoch) {
        completed = epoch
        completedCount += 1
    }

    /// Returns the outcome for the epoch that was completed since the last call, or `nil` if there was none. Call it
    /// once the read bytes are decoded.
    mutating func removeOutcome(epochsBegun: UInt64) -> Outcome? {
        current?.after = epochsBegun
        defer { (completed, completedCount) = (nil, 0) }
        guard let completed else { return nil }
        guard completedCount == 1, completed.mark != 0,
            let burst = current?.mark == completed.mark ? current : previous, burst.mark == completed.mark,
            burst.after &- burst.before == 1
        else { return .unknown }
        guard let stated = completed.millisecondsSince1970 else { return nil }
        return .known(EpochArrival(statedTime: stated * 1_000_000, origin: completed.timeOrigin, clocks: burst.clocks))
    }

    /// The outcome for an epoch.
    enum Outcome: Equatable {
        case known(EpochArrival)
        case unknown

        var arrival: EpochArrival? { if case .known(let arrival) = self { arrival } else { nil } }
    }
}

extension Epoch {
    /// The origin of the epoch's time.
    fileprivate var timeOrigin: TimeOrigin {
        switch quality {
        case .simulated, .manual: .invented
        case .estimated: .inferred
        case .autonomous, .differential, .precise, .rtkFixed, .rtkFloat, .unknown:
            isDateSent && !dateRepaired ? .satellites : .inferred
        }
    }
}
