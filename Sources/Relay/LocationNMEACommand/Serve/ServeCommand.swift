internal import ArgumentParser
internal import EventLoopSupport
internal import Foundation
internal import Glibc
internal import LocationClient
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay
internal import ServiceSupport

/// Parses the arguments, composes the sentence server, and runs it until SIGTERM.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the location as NMEA 0183 to one program, by a pty, a FIFO, TCP or UDP.",
        discussion: "Readers are admitted only with authorization, and locations are requested only while there is a "
            + "reader. SIGTERM stops it.")

    @OptionGroup var options: InstanceOptions

    func run() throws { try options.run(LocationNMEA.name, serve) }

    private func serve(_ file: ServeFile, until signals: inout Signals, _ log: Logger) throws {
        let settings = file.settings
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let remedy = remedy(for: settings.target)
        let server = try loop.submit {
            let status = StatusReport(on: loop) { ServiceManager.status($0) }
            let onStatus: (String) -> Void = { status.report($0) }
            let poller = try DescriptorPoller(on: loop)
            let server = SentenceServer(
                settings, client: LocationClient(runtimeDirectory: nil, eventLoop: loop), remedy: remedy, on: loop,
                log: log, onStatus: onStatus
            ) { settings.makeOutlet(poller: poller, on: loop, log: log, onStatus: onStatus, onReaders: $0) }
            server.start()
            return NIOLoopBound(server, eventLoop: loop)
        }.wait()
        ServiceManager.ready()
        _ = signals.next()
        ServiceManager.stopping()
        try loop.submit { server.value.stop() }.wait()
    }

    private func remedy(for target: ServeTarget) -> String {
        let unit = target.isFile ? "locationd-nmea" : "locationd-nmea-network"
        return "sudo locationctl grant --always --uid \(getuid()) service:\(unit)@\(options.instance)"
    }
}

extension ServeSettings {
    /// Returns the outlet that these settings describe.
    fileprivate func makeOutlet(
        poller: DescriptorPoller, on loop: any EventLoop, log: Logger, onStatus: @escaping (String) -> Void,
        onReaders: @escaping (Bool) -> Void
    ) -> any SentenceOutlet {
        let owner = owner
        switch target {
        case .terminal(let path):
            return FileOutlet(path, poller: poller, on: loop, log: log, onStatus: onStatus, onReaders: onReaders) {
                () throws(OutletFailure) in try TerminalFile(link: path, owner: owner)
            }
        case .fifo(let path):
            return FileOutlet(path, poller: poller, on: loop, log: log, onStatus: onStatus, onReaders: onReaders) {
                () throws(OutletFailure) in try FIFOFile(path, owner: owner)
            }
        case .server(let address, let port):
            return PortOutlet(
                address: address, port: port, allowed: allowed, on: loop, log: log, onStatus: onStatus,
                onReaders: onReaders)
        case .datagrams(let address, let port):
            return DatagramOutlet(
                address: address, port: port, on: loop, log: log, onStatus: onStatus, onReaders: onReaders)
        }
    }
}
