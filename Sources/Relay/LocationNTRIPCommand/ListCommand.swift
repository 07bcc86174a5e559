internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import JSON
internal import LocationModel
internal import NTRIP
internal import ServiceSupport

/// Prints a caster's list, for `locationctl setup --corrections`.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print a caster's mount points with RTCM 3: JSON, an object on each line.",
        discussion: "The caster receives neither a position nor a password. The exit status is 1 if there is no list.")

    /// The maximum time between two parts of the list, in milliseconds.
    private static let partTimeout: CInt = 30_000

    @Argument(help: ArgumentHelp("The caster, as in ntrips://HOST:PORT.", valueName: "caster"))
    var caster: String

    func run() throws {
        Glibc.signal(SIGPIPE, SIG_IGN)
        do {
            let text = try stations().filter(\.sendsRTCM3).map { station in
                var writer = JSONWriter()
                try writer.value(encoding: station)
                return writer.text + "\n"
            }.joined()
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            _ = InstanceOptions.usage("\(error)", of: LocationNTRIP.name)
            throw ExitCode.failure
        }
    }

    private func stations() throws -> [Station] {
        let address = try CasterAddress(parsing: caster)
        guard let handle = CurlHandle(address, authorities: nil) else { throw Failure("there is no memory") }
        if let reason = handle.connect() { throw Failure(reason) }
        guard
            handle.send(CasterRequest.bytes(mount: nil, at: address, version: Version.text, credentials: nil)),
            let socket = handle.socket
        else { throw Failure("the caster does not read") }
        var answer = CasterAnswer()
        var table = SourceTable()
        while true {
            switch handle.receive(limit: 65_536) {
            case .bytes(let bytes):
                guard try answer.receive(bytes).contains(where: { try table.receive($0) }) else { continue }
                return table.stations
            case .nothing:
                var events = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                guard poll(&events, 1, Self.partTimeout) > 0 else {
                    throw Failure("the caster does not answer in time")
                }
            case .end(let reason):
                // Some casters end a list by closing.
                guard !table.stations.isEmpty else { throw Failure(reason) }
                return table.stations
            }
        }
    }

    /// The reason why there is no list.
    fileprivate struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

extension SourceTable {
    /// Handles a part of a caster's answer. Returns whether the list is over, as far as it is permitted to reach.
    fileprivate mutating func receive(_ event: CasterAnswer.Event) throws(ListCommand.Failure) -> Bool {
        switch event {
        case .began(.sourceTable): return false
        case .began(.corrections): throw ListCommand.Failure("the caster's answer is not a list of stations")
        case .data(let bytes): return !receive(bytes) || isComplete
        case .ended: return true
        case .refused(let refusal): throw ListCommand.Failure(refusal.description)
        }
    }
}
