internal import Glibc
internal import LocationctlSupport
internal import MachineDoctor
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
    private let steps = UndoableSteps()

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
        var questions = Questions()
        guard try options.isConfirmed || questions.confirm(SenderText.question(pin), preferred: false) else {
            try Terminal.writeOutput("Nothing was changed.\n")
            throw ExitStatus.failed
        }
        try await steps.run {
            // Another user's program reads the files in the folder.
            if present == nil { try steps.write(pin.file(announcement), to: "\(instance).toml", in: folder) }
            try steps.enable("locationd-nmea-receive@\(instance).socket")
            try configure(&receiver, to: Self.source(instance))
            try await daemon.use(Self.source(instance))
            try steps.checkInterruption()
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

    private func configure(_ receiver: inout ReceiverFile, to source: String) throws(Failure) {
        // A partly written file is restored too.
        defer {
            let written = receiver
            steps.undo { [daemon] in try await daemon.restore(written) }
        }
        let (path, isOther) = try receiver.write(source)
        try Terminal.writeOutput(SetupText.written(path, isOther: isOther))
        try steps.checkInterruption()
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
