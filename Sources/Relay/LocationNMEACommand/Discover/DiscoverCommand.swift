internal import ArgumentParser
internal import EventLoopSupport
internal import ForeignText
internal import Foundation
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// Lists the announcements of NMEA 0183 in the network.
struct DiscoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Show who announces NMEA 0183 in the local network.",
        discussion: """
            Changes nothing, and connects to no sender. An announcement proves nothing: anybody in the network can \
            make one. `locationctl receivers --accept NAME` has locationd read one of them. The exit status is 3 if \
            the list is incomplete, because there were too many services or not all answered.
            """)

    @Option(help: ArgumentHelp("The longest time to wait for answers, in seconds.", valueName: "s"))
    var timeout = 5.0

    @Option(help: ArgumentHelp("The only name to look at, as it is shown.", valueName: "name"))
    var name: String?

    @Flag(help: "Print JSON, an object on each line.")
    var json = false

    func validate() throws {
        guard (0.1...60).contains(timeout) else { throw ValidationError("--timeout must be between 0.1 and 60 s") }
    }

    func run() throws {
        Glibc.signal(SIGPIPE, SIG_IGN)
        let discovery: Discovery
        do {
            discovery = try browse()
        } catch let failure as AvahiBrowser.Failure {
            report(failure.message)
            throw ExitCode.failure
        }
        let text =
            json ? try DiscoveryText.lines(discovery.announcements) : DiscoveryText.table(discovery.announcements)
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        for remark in DiscoveryText.remarks(discovery, timeout: timeout) { report(remark) }
        if discovery.isCut || !discovery.isComplete { throw ExitCode(3) }
    }

    private func browse() throws -> Discovery {
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let (timeout, name) = (TimeAmount.clamping(seconds: timeout), name)
        return try loop.flatSubmit {
            do {
                let poller = try DescriptorPoller(on: loop)
                let browser = NIOLoopBound(
                    AvahiBrowser(name: name, timeout: timeout, poller: poller, on: loop), eventLoop: loop)
                // Keeps the browser alive until it has finished.
                return browser.value.start().map { discovery in withExtendedLifetime(browser) { discovery } }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.wait()
    }

    private func report(_ message: String) {
        FileHandle.standardError.write(Data("locationd-nmea: \(ForeignText.line(message))\n".utf8))
    }
}
