import EventLoopSupport
import NIOCore

/// Has a receiver give a fix as often as it is wanted, and stand by when its port is closed.
///
/// What cannot be written is lost: the receiver then goes on as before.
final class PowerControl {
    /// How long after it was woken a receiver takes commands.
    private static let wakingTime = TimeAmount.milliseconds(100)
    /// Up to this interval, in milliseconds, silence lasts as long as with any receiver.
    private static let shortInterval = 2500

    private let commands: PowerCommands
    private let eventLoop: any EventLoop
    /// Milliseconds.
    private var interval = PowerCommands.normalInterval
    private var output: SerialOutput?
    /// A Boolean value indicating whether the receiver understands what is written.
    private var isLineFound = false
    /// Set while the receiver wakes up.
    private let waking: LoopTimer

    init(_ power: ReceiverPower, on eventLoop: any EventLoop) {
        commands = PowerCommands(power: power)
        self.eventLoop = eventLoop
        waking = LoopTimer(on: eventLoop)
    }

    /// After how much of it silence is a loss: a receiver is silent between two fixes.
    var silenceLimit: TimeAmount {
        interval > Self.shortInterval
            ? Supervisor.silenceLimit + .milliseconds(2 * Int64(interval)) : Supervisor.silenceLimit
    }

    /// The port was opened: wakes the receiver, which takes any byte at any speed.
    func opened(_ descriptor: CInt, baudRate: Int) {
        output = SerialOutput(duplicating: descriptor, baudRate: baudRate, on: eventLoop)
        output?.write(commands.wake)
    }

    /// The speed of the line is known: sets the receiver's interval, once it is awake.
    func lineFound(baudRate: Int) {
        output?.baudRate = baudRate
        isLineFound = true
        waking.set(in: Self.wakingTime) { self.writeInterval() }
    }

    /// The speed of the line is not known any more.
    func lineLost() {
        isLineFound = false
        waking.cancel()
    }

    /// Changes the interval between fixes; `nil` is the normal one.
    func setInterval(seconds: Double?) {
        let wanted = commands.interval(seconds: seconds)
        guard wanted != interval else { return }
        interval = wanted
        // One that is waking up is told when it is awake, and one that is looked for when it is found.
        if !waking.isSet, isLineFound { writeInterval() }
    }

    private func writeInterval() {
        output?.write(commands.setInterval(milliseconds: interval))
    }

    /// The port is about to be closed because nobody asks.
    func standBy() {
        if isLineFound { output?.write(commands.standBy) }
    }

    /// The port was closed.
    func closed() {
        lineLost()
        output?.finish()
        output = nil
    }
}
