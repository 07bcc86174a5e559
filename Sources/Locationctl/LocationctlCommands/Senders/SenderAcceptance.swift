internal import Glibc
internal import LocationctlSupport
internal import MachineDoctor
internal import NIOConcurrencyHelpers
internal import NIOPosix
internal import NMEARelay

/// Configures locationd to read an announced sender: `locationctl receivers --accept`.
///
/// The configuration names the sender's host and port. The daemon never looks at announcements.
final class SenderAcceptance {
    struct Options: Sendable {
        /// The folder of the daemon's configuration.
        var folder: String
        /// The folder of the machine's files.
        var root: SystemRoot
        /// A Boolean value indicating whether the user has confirmed in advance.
        var isConfirmed: Bool
    }

    private let daemon: DaemonConnection
    private let options: Options
    private var folder: String { options.folder + "/nmea" }
    /// The actions that undo the steps so far, in the order of the steps.
    private var undoing: [() async throws -> Void] = []
    private let isInterrupted = NIOLockedValueBox(false)

    init(_ daemon: DaemonConnection, _ options: Options) {
        self.daemon = daemon
        self.options = options
    }

    /// Accepts the sender of that name.
    func accept(_ name: String, from senders: NetworkSenders) async throws {
        try check()
        let found = try senders.discover(name)
        SenderText.report(found.remarks)
        // Attack: a neighbour announces the name with so many hosts that the intended host is not examined.
        guard found.isWhole else {
            throw Failure(
                .failed,
                "not every announcement of that name could be looked at, so that nothing was changed: run this again, or "
                    + "name the sender by hand as locationd-nmea(8) says")
        }
        let choice = try SenderChoice(of: name, among: found.announcements)
        let announcement = choice.announcement
        let instance = SenderPin.instance(of: announcement.name)
        if let other = AcceptedSenders(in: folder).instance(for: announcement), other != instance {
            return try Terminal.writeOutput(
                "\(folder)/\(other).toml names it already, as the receiver \(Self.source(other)).\n")
        }
        let file = "\(folder)/\(instance).toml"
        let namesHost = await HostAddresses.areAll(of: announcement.host, in: choice.addresses)
        let new = SenderPin(announcement, namesHost: namesHost)
        let present = try present(file, announcement, new)
        let pin = present ?? new
        var receiver = ReceiverFile(
            folder: options.folder, options.root, name: "20-nmea-\(instance).toml", heading: SenderPin.heading)
        try receiver.check()
        try Terminal.writeOutput(SenderText.offer(announcement))
        guard try options.isConfirmed || Self.confirms(pin) else {
            try Terminal.writeOutput("Nothing was changed.\n")
            throw ExitStatus.failed
        }
        try await withUndo {
            if present == nil { try write(pin.file(announcement), to: file) }
            try enable("locationd-nmea-receive@\(instance).socket")
            try configure(&receiver, to: Self.source(instance))
            try await daemon.use(Self.source(instance))
            try checkInterruption()
        }
        try Terminal.writeOutput("locationd reads \(pin.text), as the receiver \(Self.source(instance)).\n")
    }

    private static func source(_ instance: String) -> String { "socket:/run/locationd-nmea/\(instance)" }

    // MARK: Before anything is written

    /// Throws if the instance's file cannot be written, before the network is searched.
    private func check() throws(Failure) {
        do {
            try AtomicFile.check(access(folder, F_OK) == 0 ? folder + "/any.toml" : folder)
        } catch {
            throw Failure(.failed, error.message + (geteuid() == 0 ? "" : ": use sudo"))
        }
    }

    /// Returns the sender in the instance's file, or `nil` if there is no such file. Throws if that is not the
    /// announced sender, by its host or its address.
    ///
    /// Attack: an announcement with the name of an accepted sender replaces that sender.
    private func present(
        _ file: String, _ announcement: Announcement, _ new: SenderPin
    ) throws(Failure) -> SenderPin? {
        guard access(file, F_OK) == 0 else { return nil }
        let present = (try? SmallFile.read(file)).flatMap(SenderPin.init(parsing:))
        guard let present, SenderPin.all(of: announcement).contains(present) else {
            throw Failure(
                .failed,
                "\(file) names \(present?.text ?? "something else"), not \(new.text), and stays as it is: if the sender "
                    + "has moved, remove that file, then run this again")
        }
        return present
    }

    /// Asks the user, at the terminal or on standard input.
    private static func confirms(_ pin: SenderPin) throws(Failure) -> Bool {
        var input = LineInput()
        while true {
            try Terminal.writeOutput(SenderText.question(pin))
            input.begin(isTerminal: isatty(STDIN_FILENO) == 1)
            var line = input.next()
            while line == nil, !input.hasEnded {
                input.receive(TerminalWindow.readOnce())
                line = input.next()
            }
            guard let line else {
                throw Failure(
                    .failed, "there was no answer, and nothing was changed: --yes answers on the command line")
            }
            if let answer = SetupText.answer(line, preferred: false) { return answer }
            try Terminal.writeOutput("Answer with yes or no.\n")
        }
    }

    // MARK: Steps

    /// Carries out the steps. If one fails or the user interrupts, undoes the steps so far.
    private func withUndo(_ steps: () async throws -> Void) async throws {
        let signals = await TrappedSignals.stream(of: [SIGINT, SIGTERM, SIGHUP])
        let watch = Task { [isInterrupted] in for await _ in signals { isInterrupted.withLockedValue { $0 = true } } }
        defer { watch.cancel() }
        do {
            try await steps()
        } catch {
            for step in undoing.reversed() {
                do { try await step() } catch {
                    Terminal.writeError(
                        "locationctl: what was done could not be undone: \(SetupEvents.message(error))\n")
                }
            }
            throw error
        }
    }

    private func checkInterruption() throws(Failure) {
        if isInterrupted.withLockedValue({ $0 }) { throw Failure(.failed, "interrupted: what was done is undone") }
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        if mkdir(folder, 0o755) == 0 {
            // Whatever the umask is: another user's program reads the files in the folder.
            chmod(folder, 0o755)
            undoing.append { [folder] in rmdir(folder) }
        } else if errno != EEXIST {
            throw Failure(.failed, "cannot create \(folder): \(String(cString: strerror(errno)))")
        }
        try AtomicFile.write(text, to: file)
        undoing.append {
            guard unlink(file) == 0 || errno == ENOENT else {
                throw Failure(.failed, "cannot remove \(file): \(String(cString: strerror(errno)))")
            }
        }
        try Terminal.writeOutput("\(file) was written.\n")
        try checkInterruption()
    }

    private func enable(_ unit: String) throws(Failure) {
        let wasEnabled = ChildProcess.run("systemctl", ["is-enabled", "--quiet", unit])?.status == 0
        if !wasEnabled {
            undoing.append { _ = ChildProcess.run("systemctl", ["disable", "--now", unit]) }
        }
        let result = ChildProcess.run("systemctl", ["enable", "--now", unit])
        guard let result, result.status == 0 else {
            let reason = result?.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw Failure(.failed, "`systemctl enable --now \(unit)` failed\(reason)")
        }
        try checkInterruption()
    }

    private func configure(_ receiver: inout ReceiverFile, to source: String) throws(Failure) {
        // A partly written file is restored too.
        defer {
            let written = receiver
            undoing.append { [daemon] in try await daemon.restore(written) }
        }
        let (path, isOther) = try receiver.write(source)
        try Terminal.writeOutput(SetupText.written(path, isOther: isOther))
        try checkInterruption()
    }
}

/// The addresses that this machine's resolver knows for a host.
enum HostAddresses {
    /// Returns whether the host has addresses, and all of them are announced.
    ///
    /// Attack: an announced host name resolves to a different host, such as one on the internet.
    static func areAll(of host: String, in announced: Set<IPAddress>) async -> Bool {
        let known = try? await NIOThreadPool.singleton.runIfActive { addresses(of: host) }
        guard let known, !known.isEmpty else { return false }
        return known.allSatisfy(announced.contains)
    }

    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            (entry?.pointee.ai_addr).flatMap { IPAddress(socketAddress: $0) }
        }
    }
}
