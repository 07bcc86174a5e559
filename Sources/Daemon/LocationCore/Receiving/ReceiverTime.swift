internal import EventLoopSupport
internal import LocationModel
internal import NIOCore
internal import Receivers

/// The clock for planning the receivers: a recording played ten times as fast is planned ten times as fast, and its
/// fixes are of another time.
struct ReceiverTime {
    /// The seconds of the receivers' own time that pass in a second of the machine's.
    private(set) var scale = 1.0
    /// A Boolean value indicating whether a recording is among the receivers. The time is then the recording's.
    private(set) var playsRecording = false
    private let origin: NIODeadline
    /// The machine's total time asleep.
    private var sleep = TimeAmount.zero

    /// Creates the time without receivers, beginning at `origin`.
    init(from origin: NIODeadline) {
        self.origin = origin
    }

    /// Returns the time of these receivers.
    func following(_ receivers: [Receiver]) -> Self {
        var time = self
        time.scale = Self.scale(of: receivers)
        time.playsRecording = receivers.contains { $0.isRecording }
        return time
    }

    /// Returns the time after a sleep of the machine.
    func slept(for amount: TimeAmount) -> Self {
        var time = self
        time.sleep = sleep + amount
        return time
    }

    static func scale(of receivers: [Receiver]) -> Double { receivers.map(\.timeScale).max() ?? 1 }

    /// Converts a moment of the loop's clock, which stands still while the machine sleeps, to a clock that does not.
    func steady(_ moment: NIODeadline) -> NIODeadline { moment + sleep }

    /// Returns the seconds of the receivers' own time from the start to that moment.
    func seconds(at moment: NIODeadline) -> Double { seconds(moment - origin) }

    /// Returns the seconds of the receivers' own time in that time.
    func seconds(_ time: TimeAmount) -> Double { Double(time.nanoseconds) / 1e9 * scale }

    /// Returns the time that so many seconds of the receivers' own time take.
    func amount(seconds: Double) -> TimeAmount { .clamping(seconds: seconds / scale) }

    /// Returns the time of `clock` or, while a recording is played, the recording's: the last fix's plus the time
    /// since. Before its first fix, returns the time of `clock` at the speed of the recording.
    func time(by clock: () -> Timestamp, after lastFix: ReceiverControl.LastFix?, at now: NIODeadline) -> Timestamp {
        guard playsRecording else { return clock() }
        let (moment, seconds) =
            if let lastFix {
                (lastFix.fix.location.timestamp, seconds(steady(now) - lastFix.receivedAt))
            } else {
                (clock(), seconds(at: now) * (1 - 1 / scale))
            }
        return Timestamp(millisecondsSince1970: moment.millisecondsSince1970 + Int64(seconds * 1000))
    }
}
