import EventLoopSupport
import NIOCore

/// Sets a receiver's fix interval, and sends the receiver to standby before its port is closed.
///
/// If a write fails, the command is lost and the receiver continues as before.
final class PowerControl {
    /// The time until a woken receiver accepts commands.
    private static let wakingTime = TimeAmount.milliseconds(100)
    /// The longest interval, in milliseconds, with the same silence limit as for any receiver.
    private static let shortInterval = 2500

    private let commands: PowerCommands
    private let eventLoop: any EventLoop
    /// The requested interval, in milliseconds.
    private var interval = PowerCommands.normalInterval
    private var output: SerialOutput?
    /// A Boolean value indicating whether the baud rate is known, so that the receiver understands commands.
    private var isBaudRateKnown = false
    /// The timer that is set while the receiver wakes up.
    private let waking: LoopTimer

    init(_ power: ReceiverPower, on eventLoop: any EventLoop) {
        commands = PowerCommands(power: power)
        self.eventLoop = eventLoop
        waking = LoopTimer(on: eventLoop)
    }

    /// The length of silence that counts as a loss. Longer than the interval: a receiver is silent between fixes.
    var silenceLimit: TimeAmount {
        interval > Self.shortInterval
            ? ReceiverStateMachine.silenceLimit + .milliseconds(2 * Int64(interval)) : ReceiverStateMachine.silenceLimit
    }

    /// Wakes the receiver on a port that was opened. Any byte at any baud rate wakes it.
    func opened(_ descriptor: CInt, baudRate: Int) {
        output = SerialOutput(duplicating: descriptor, baudRate: baudRate, on: eventLoop)
        output?.write(commands.wake)
    }

    /// Records that the baud rate is known, and sets the receiver's interval once it is awake.
    func baudRateDetected(baudRate: Int) {
        output?.baudRate = baudRate
        isBaudRateKnown = true
        waking.set(in: Self.wakingTime) { self.writeInterval() }
    }

    /// Records that the baud rate is no longer known.
    func baudRateLost() {
        isBaudRateKnown = false
        waking.cancel()
    }

    /// Changes the interval between fixes; `nil` is the normal one.
    func setInterval(seconds: Double?) {
        let wanted = commands.interval(seconds: seconds)
        guard wanted != interval else { return }
        interval = wanted
        // During wake-up and baud-rate detection, nothing is written: `baudRateDetected` does that later.
        if !waking.isSet, isBaudRateKnown { writeInterval() }
    }

    private func writeInterval() {
        output?.write(commands.setInterval(milliseconds: interval))
    }

    /// Sends the receiver to standby because its fixes are not needed. The port is closed next.
    func standBy() {
        if isBaudRateKnown { output?.write(commands.standBy) }
    }

    /// Records that the port was closed, and releases the output descriptor once its bytes have left.
    func closed() {
        baudRateLost()
        output?.finish()
        output = nil
    }
}
