internal import EventLoopSupport
internal import Glibc
internal import Linux
internal import Logging
internal import NIOCore
internal import NMEARelay

/// An outlet at a path: a pseudo-terminal or a FIFO.
final class FileOutlet: SentenceOutlet {
    private let path: String
    private let make: () throws(OutletFailure) -> any ServedFile
    private let poller: DescriptorPoller
    private let loop: any EventLoop
    private let log: Logger
    private let onStatus: (String) -> Void
    private let onReaders: (Bool) -> Void
    private let retry: Retry
    /// The last logged failure, so that each failure is logged once.
    private var loggedFailure: String?
    private var file: (any ServedFile)?
    private var openings: OpeningWatch?
    /// The watch on the file's descriptor while it has readers: for their input, and the departure of the last one.
    private var reading: DescriptorPoller.Watch?
    private var pipe = SentencePipe()
    private let readTimer: LoopTimer
    private var budget = ByteBudget()

    /// - Parameters:
    ///   - path: The path in messages.
    ///   - onStatus: Called with the state in words, for the service manager.
    ///   - onReaders: Called with `true` when the first reader comes, and with `false` when the last one leaves.
    ///   - make: Makes the file.
    init(
        _ path: String, poller: DescriptorPoller, on loop: any EventLoop, log: Logger,
        onStatus: @escaping (String) -> Void, onReaders: @escaping (Bool) -> Void,
        make: @escaping () throws(OutletFailure) -> any ServedFile
    ) {
        self.path = path
        self.make = make
        self.poller = poller
        self.loop = loop
        self.log = log
        self.onStatus = onStatus
        self.onReaders = onReaders
        retry = Retry(Backoff(first: 0.5, greatest: 30), on: loop)
        readTimer = LoopTimer(on: loop)
    }

    func open() {
        do throws(OutletFailure) {
            let file = try make()
            let openings = try OpeningWatch(file.watchedPath, poller: poller) { [weak self] in self?.look() }
            try file.publish()
            (self.file, self.openings) = (file, openings)
        } catch {
            onStatus("Cannot serve \(path): \(error)")
            if loggedFailure != error.description { log.error("cannot serve \(path): \(error); trying again") }
            loggedFailure = error.description
            return retry.schedule { [weak self] in self?.open() }
        }
        loggedFailure = nil
        retry.succeeded()
        log.info("serving \(path)")
        onStatus("No reader of \(path)")
        // A reader may have opened it before the watch.
        look()
    }

    func close() {
        retry.cancel()
        readTimer.cancel()
        reading?.end()
        (reading, openings, file) = (nil, nil, nil)
    }

    /// Attack: accuracy is reduced, and another program then opens the file to read the full-accuracy sentences that
    /// the first one has left there.
    func forget() {
        guard let file else { return }
        pipe = SentencePipe()
        guard !file.discardUnread() else { return }
        let hadReaders = reading != nil
        close()
        if hadReaders { onReaders(false) }
        open()
    }

    func write(_ sentences: ByteBuffer) {
        guard let file, reading != nil else { return }
        pipe.write(sentences, to: file.descriptor)
    }

    /// Checks whether a reader has the file open.
    private func look() {
        guard let file, reading == nil, file.hasReaders else { return }
        pipe = SentencePipe()
        let watch = poller.watch(file.descriptor) { [weak self] events in self?.handle(events) }
        reading = watch
        guard wait(watch) else { return }
        onStatus("A program is reading \(path)")
        onReaders(true)
    }

    private func wait(_ watch: DescriptorPoller.Watch) -> Bool {
        do throws(SystemCallError) {
            try watch.wait(for: .readable)
            return true
        } catch {
            log.error("\(path) cannot be watched: \(error)")
            reading = nil
            return false
        }
    }

    /// Reads and drops the input of readers, or notices the departure of the last one.
    ///
    /// Attack: a reader writes without end, so that this program spends its processor time on reading. So it reads no
    /// faster than the budget allows, and a byte costs as much as many.
    private func handle(_ events: DescriptorPoller.Events) {
        guard let file else { return }
        var pause = 0.0
        if events.contains(.readable) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            pause = budget.spend(
                max(ByteBudget.leastRead, read(file.descriptor, &bytes, bytes.count)), at: loop.now.seconds)
        }
        guard pause > 0 else { return waitAgain() }
        readTimer.set(in: .clamping(seconds: pause)) { [weak self] in self?.waitAgain() }
    }

    private func waitAgain() {
        guard let file, let reading else { return }
        if file.hasReaders, wait(reading) { return }
        reading.end()
        self.reading = nil
        let isClean = file.discardUnread() && file.isPristine
        onStatus("No reader of \(path)")
        onReaders(false)
        // A reader may have opened it in the meantime.
        guard !isClean else { return look() }
        close()
        open()
    }
}
