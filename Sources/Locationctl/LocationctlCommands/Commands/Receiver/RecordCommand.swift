internal import ArgumentParser
internal import FileFormats
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import NMEA
internal import Varlink

struct RecordCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records what a receiver sends, for a bug report or a replay.",
        discussion: """
            Writes the receiver's bytes to a new file, with the time between them, until Ctrl-C. The commands decode and \
            report read it, and so does the receiver replay:FILE. Needs full accuracy. The file contains where this \
            machine is. With --shift, it can be passed on: all positions and dates are moved by a secret amount, and what \
            locationctl does not know is masked. What can still be learned from it is in locationctl(1).
            """)

    @Argument(help: ArgumentHelp("The file to write, which must not exist.", valueName: "file"))
    var file: String
    @Option(
        help: ArgumentHelp("The receiver, as in `locationctl receivers` (default: the only one).", valueName: "name"))
    var receiver: String?
    @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "s"))
    var duration: Double?
    @Flag(help: "Move all positions and dates by a secret amount.")
    var shift = false
    @Flag(
        help: """
            With --shift, which it implies: also remove serial numbers, the angles of satellites, the magnetic variation \
            and the geoid separation.
            """)
    var anonymous = false
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if let seconds = duration, !(0...3e7).contains(seconds) {
            throw ValidationError("--duration must be between 0 and 30,000,000 s (about a year)")
        }
    }

    func run(with daemon: DaemonConnection) async throws {
        let signals = await TrappedSignals.stream(of: [SIGINT, SIGTERM])
        try await daemon.requestAuthorization(reason: "to write to a file what the receiver sends")
        guard try await daemon.call(GetAuthorization.self, Nothing()).authorization.accuracy == .full else {
            throw Failure(.notAuthorized, "a recording needs full accuracy: run `\(daemon.grantCommand)`")
        }
        let output = try RecordingOutput(path: file)
        Terminal.writeError("locationctl: \(Self.warning(file, shift: shift || anonymous))\n")
        try await withThrowingTaskGroup { group in
            group.addTask { try await record(daemon, to: output) }
            group.addTask { for await _ in signals { return } }
            if let duration { group.addTask { try? await Task.sleep(for: .seconds(duration)) } }
            do { try await group.next() } catch is CancellationError {}
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    /// Returns a line about the contents of the file.
    static func warning(_ file: String, shift: Bool) -> String {
        let file = Terminal.printable(file)
        return shift
            ? "\(file) will contain no position and no date of this machine; locationctl(1) says what it still reveals"
            : "\(file) will contain where this machine is; use --shift for a file that you pass on"
    }

    private func record(_ daemon: DaemonConnection, to output: RecordingOutput) async throws {
        var recorder = Recorder(moving: shift || anonymous ? stream : nil)
        var heard: String?
        let remark = Task {
            try await Task.sleep(for: .seconds(10))
            Terminal.writeError(
                """
                locationctl: no receiver has sent anything yet; see `locationctl receivers`. What gpsd reads is recorded \
                with `gpspipe -R`

                """)
        }
        defer { remark.cancel() }
        do {
            try await daemon.stream(Record.self, .init(name: receiver)) { reply in
                remark.cancel()
                if let heard, heard != reply.receiver {
                    throw Failure(
                        .failed,
                        """
                        two receivers send: choose one with --receiver \(Terminal.printable(heard)) or --receiver \
                        \(Terminal.printable(reply.receiver))
                        """)
                }
                heard = reply.receiver
                guard let bytes = reply.decodedBytes else { return true }
                try output.write(recorder.add(bytes, atMilliseconds: reply.milliseconds))
                return true
            }
        } catch {
            try output.write(recorder.finish())
            throw error
        }
        try output.write(recorder.finish())
    }

    private var stream: ShiftedStream {
        ShiftedStream(isAnonymous: anonymous) { latitude in
            var generator = SystemRandomNumberGenerator()
            return PositionShift.random(from: latitude, using: &generator)
        }
    }
}

/// The file of a recording, readable only by its owner.
private final class RecordingOutput: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Creates the file, and writes its first line.
    init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AtomicFile.failure(path) }
        try write(Array(RecordingFile.firstLine.utf8))
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(Failure) { try AtomicFile.write(bytes[...], to: descriptor, path) }
}
