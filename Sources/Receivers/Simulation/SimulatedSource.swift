import Devices
import EventLoopSupport
import LocationModel
import NIOCore
import NMEA

/// A simulated receiver at the far end of a pseudo-terminal, which a serial source reads like any other.
final class SimulatedSource: FixSource {
    private let makeSimulator: () throws(ReceiverFailure) -> ReceiverSimulator
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    /// The simulator, kept while the source is closed: the journey continues meanwhile.
    private var simulator: ReceiverSimulator?
    private var terminal: PseudoTerminal?
    private var serial: SentenceReceiver?
    private let timer: LoopTimer
    private var lastEpoch: Timestamp?
    private var reportContents: ReceiverReportContents = []

    /// Creates a closed source. The simulator is created at the first opening, or at a later one if that fails.
    init(
        receiver: String, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp,
        makeSimulator: @escaping () throws(ReceiverFailure) -> ReceiverSimulator
    ) {
        self.makeSimulator = makeSimulator
        self.receiver = receiver
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
        self.clock = clock
    }

    let silence: ReceiverFailure? = nil

    var satellites: [Satellite] { serial?.satellites ?? [] }

    var statistics: ReceiverStatistics { serial?.statistics ?? ReceiverStatistics() }

    var positionErrors: PositionErrors? { serial?.positionErrors }

    var diagnosis: ReceiverDiagnosis { serial?.diagnosis ?? ReceiverDiagnosis() }

    let hasSentences = true

    func setReportContents(_ contents: ReceiverReportContents) {
        reportContents = contents
        serial?.setReportContents(contents)
    }

    func removeSentences() -> [UInt8] { serial?.removeSentences() ?? [] }

    func open(reportingTo sink: any FixSink) {
        do throws(ReceiverFailure) {
            if simulator == nil { simulator = try makeSimulator() }
            let terminal = try PseudoTerminal()
            let transport = SerialTransport(
                path: terminal.path, baudRate: ReceiverSpecification.defaultBaudRate, on: eventLoop)
            let serial = SentenceReceiver(over: transport, receiver: receiver, on: eventLoop, clock: clock)
            serial.setReportContents(reportContents)
            self.terminal = consume terminal
            self.serial = serial
            tick()
            serial.open(reportingTo: sink)
        } catch {
            sink.didFail(error)
        }
    }

    func close() {
        timer.cancel()
        serial?.close()
        terminal = nil
        lastEpoch = nil
    }

    /// Sends the epoch of the current second, and schedules the next one.
    private func tick() {
        let now = clock().millisecondsSince1970
        let intoSecond = ((now % 1000) + 1000) % 1000
        let epoch = Timestamp(millisecondsSince1970: now - intoSecond)
        if epoch != lastEpoch, let bytes = simulator?.sentences(at: epoch) {
            lastEpoch = epoch
            terminal?.write(bytes)
        }
        timer.set(in: .milliseconds(1000 - intoSecond)) { self.tick() }
    }
}
