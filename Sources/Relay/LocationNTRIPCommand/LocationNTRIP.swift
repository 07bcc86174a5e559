internal import ArgumentParser
internal import EventLoopSupport
internal import Foundation
internal import Glibc
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NTRIP
internal import ServiceSupport

/// The command of the program: corrections from an NTRIP caster to the daemon, or the caster's list.
struct LocationNTRIP: ParsableCommand {
    static let name = "locationd-ntrip"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Passes corrections from an NTRIP caster on to locationd's receivers, for positions in centimetres.",
        version: Version.text, subcommands: [ReceiveCommand.self, ListCommand.self],
        defaultSubcommand: ReceiveCommand.self)
}

/// Passes corrections on.
struct ReceiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Pass corrections on to locationd while an app needs them (the default).",
        discussion: "Nothing in the network is opened while no app needs corrections. SIGTERM stops it.")

    @OptionGroup var options: InstanceOptions

    func run() throws { try options.run(LocationNTRIP.name, serve) }

    private func serve(_ file: NTRIPFile, until signals: inout Signals, _ log: Logger) throws {
        let credentials = try CasterCredentials.read(
            from: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"])
        if credentials != nil, !file.caster.usesTLS {
            log.warning("the password is sent without encryption: use ntrips:// if the caster has it")
        }
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let directory = runtimeDirectoryOfEnvironment ?? installedRuntimeDirectory
        let app = "service:\(LocationNTRIP.name)@\(options.instance)"
        let remedy = "sudo locationctl grant --always --uid \(getuid()) \(app)"
        let caster = try loop.submit {
            let settings = CasterSettings(
                address: file.caster, plan: file.plan, receiver: file.receiver, interval: file.interval ?? 60,
                authorities: file.authorities, credentials: credentials,
                client: LocationClient(runtimeDirectory: directory, eventLoop: loop),
                clock: { Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000)) })
            let caster = Caster(
                settings, client: settings.client, socket: CorrectionsSocket.path(in: directory), remedy: remedy,
                poller: try DescriptorPoller(on: loop), on: loop, log: log
            ) { ServiceManager.status($0) }
            ServiceManager.ready("\(CasterStatus.unneeded)")
            caster.start()
            return NIOLoopBound(caster, eventLoop: loop)
        }.wait()
        _ = signals.next()
        ServiceManager.stopping()
        try loop.submit { caster.value.stop() }.wait()
    }
}

/// The program `locationd-ntrip`.
public enum LocationNTRIPProgram {
    /// Runs the program with the process's arguments until SIGTERM, and exits with its exit status.
    public static func main() { ServiceProgram.run(LocationNTRIP.self) }
}
