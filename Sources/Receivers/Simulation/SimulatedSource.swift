import NIOCore
import Positioning

/// A simulated receiver at the far end of a pseudo-terminal, which the serial source reads like any other.
final class SimulatedSource: FixSource {
    private let file: String?
    private let receiver: String
    private let eventLoop: any EventLoop
    private let seed: UInt64
    private let clock: () -> Timestamp
    /// Kept when closed: the journey goes on meanwhile.
    private var simulator: ReceiverSimulator?
    private var terminal: PseudoTerminal?
    private var serial: SerialSource?
    private var timer: Scheduled<Void>?
    private var lastEpoch: Timestamp?

    init(
        route file: String?, receiver: String, on eventLoop: any EventLoop, seed: UInt64,
        clock: @escaping () -> Timestamp
    ) {
        self.file = file
        self.receiver = receiver
        self.eventLoop = eventLoop
        self.seed = seed
        self.clock = clock
    }

    let silence: ReceiverFailure? = nil

    var satellites: [Satellite] { serial?.satellites ?? [] }

    let baudRate: Int? = nil

    var statistics: ReceiverStatistics { serial?.statistics ?? ReceiverStatistics() }

    func open(reportingTo sink: any FixSink) {
        do throws(ReceiverFailure) {
            if simulator == nil { simulator = ReceiverSimulator(route: try loadRoute(), seed: seed) }
            let terminal = try PseudoTerminal()
            let serial = SerialSource(
                path: terminal.path, baudRate: ReceiverSpecification.defaultBaudRate, receiver: receiver, on: eventLoop,
                clock: clock)
            self.terminal = consume terminal
            self.serial = serial
            tick()
            serial.open(reportingTo: sink)
        } catch {
            sink.sourceFailed(error)
        }
    }

    func close() {
        timer?.cancel()
        timer = nil
        serial?.close()
        terminal = nil
        lastEpoch = nil
    }

    private func loadRoute() throws(ReceiverFailure) -> Route {
        guard let file else { return .harbour }
        return Route(places: try GPXFile.places(in: file))
    }

    /// Sends the epoch of the current second, and comes back with the next one.
    private func tick() {
        let now = clock().millisecondsSince1970
        let intoSecond = ((now % 1000) + 1000) % 1000
        let epoch = Timestamp(millisecondsSince1970: now - intoSecond)
        if epoch != lastEpoch, let bytes = simulator?.sentences(at: epoch) {
            lastEpoch = epoch
            terminal?.write(bytes)
        }
        timer = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1000 - intoSecond)) { self.tick() }
    }
}
