internal import ArgumentParser
internal import EventLoopSupport
internal import Foundation
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay
internal import ServiceSupport
internal import Varlink

/// Parses the arguments, composes the relay, and runs it until SIGTERM or, with a socket from the service manager,
/// until it has been idle for a while.
struct ReceiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive NMEA 0183 from the network, for a receiver socket:PATH of locationd.",
        discussion: "Nothing in the network is opened while no client is connected to the socket. SIGTERM stops it.")

    @OptionGroup var options: InstanceOptions

    @Option(
        help: ArgumentHelp("The Unix socket to make, unless the service manager passes one.", valueName: "path"))
    var socket: String?

    func run() throws { try options.run(LocationNMEA.name, receive) }

    private func receive(_ file: ReceiveFile, until signals: inout Signals, _ log: Logger) throws {
        let environment = ProcessInfo.processInfo.environment
        let inherited = try ListenDescriptors(environment: environment, processID: getpid()).entries
        let own = inherited.isEmpty ? try ownSocket() : nil
        guard let descriptor = inherited.first?.descriptor ?? own?.descriptor, inherited.count < 2 else {
            throw InstanceOptions.usage(
                "there is no socket: start its socket unit, or name one with --socket", of: LocationNMEA.name)
        }
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let (source, allowed, isActivated) = (file.from, file.allow ?? [], !inherited.isEmpty)
        let relay = try loop.submit {
            let status = StatusReport(on: loop) { ServiceManager.status($0) }
            let relay = Relay(
                on: loop, log: log, onStatus: { status.report($0) },
                onIdle: isActivated ? { kill(getpid(), SIGTERM) } : nil
            ) { sink in source.makeSource(allowing: allowed, sink: sink, on: loop, log: log) }
            try relay.listen(at: descriptor)
            return NIOLoopBound(relay, eventLoop: loop)
        }.wait()
        ServiceManager.ready()
        _ = signals.next()
        ServiceManager.stopping()
        try loop.submit { relay.value.stop() }.wait()
        own?.unlinkFile()
    }

    private func ownSocket() throws -> ListeningSocket? {
        guard let socket else { return nil }
        // Only the owner and root may connect: a connected program learns where this machine is.
        return try ListeningSocket(path: socket, mode: 0o600, backlog: 16)
    }
}
