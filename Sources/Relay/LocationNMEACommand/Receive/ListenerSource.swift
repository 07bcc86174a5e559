internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// A port for senders to connect to.
final class ListenerSource: ByteSource {
    /// The maximum number of connections. A further connection closes the one that has been silent the longest, if any
    /// is silent.
    static let maximumConnections = 8

    private let name: String
    private let allowed: [AddressRange]
    private unowned let sink: any ByteSink
    private let loop: any EventLoop
    private let log: Logger
    private var refusals: RefusalLog
    private var foreign: RefusalLog
    private var binding: PortBinding?
    private var connections: [SenderConnection] = []

    init(
        address: String, port: Int, allowed: [AddressRange], sink: any ByteSink, on loop: any EventLoop, log: Logger
    ) {
        name = ReceiveSource.listener(address: address, port: port).description
        self.allowed = allowed
        self.sink = sink
        self.loop = loop
        self.log = log
        (refusals, foreign) = (RefusalLog(log), RefusalLog(log))
        let bound = NIOLoopBound(self, eventLoop: loop)
        binding = PortBinding(of: name, on: loop, log: log, onStatus: { [unowned sink] in sink.report($0) }) {
            ServerBootstrap.readOnRequest(on: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
                }
                .bind(host: address, port: port)
        }
    }

    func start() { binding?.start() }

    func stop() {
        // The binding refers to this object.
        binding?.stop()
        binding = nil
        for connection in connections { connection.close() }
        connections = []
    }

    /// The error for a refused connection, which closes it.
    private struct Refused: Error {}

    private func accept(_ channel: any Channel) throws {
        let host = channel.remoteAddress?.host ?? "an unknown host"
        guard binding != nil, allowed.admitted(channel.remoteAddress) != nil else {
            refusals.refused("\(host) may not send to \(name): add it to allow if it should", at: loop.now)
            throw Refused()
        }
        if connections.count >= Self.maximumConnections {
            // Attack: silent connections push out the one with the turn.
            guard let silent = mostSilent else {
                refusals.refused("\(connections.count) connections to \(name) are too many", at: loop.now)
                throw Refused()
            }
            refusals.refused("\(connections.count) connections to \(name): the silent ones are closed", at: loop.now)
            connections.removeAll { $0 === silent }
            silent.close()
        }
        let connection = SenderConnection(named: host, sink: sink) { [weak self] ended, end in
            self?.connections.removeAll { $0 === ended }
            if case .foreign(let kind) = end {
                guard let self else { return }
                self.foreign.refused("\(host) does not send NMEA 0183, but \(kind.explanation)", at: self.loop.now)
            }
        }
        connections.append(connection)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    /// The connection to close for a new one: the oldest that has never sent anything, or else the one that has been
    /// silent the longest, if it would have lost its turn.
    private var mostSilent: SenderConnection? {
        let limit = TimeAmount.clamping(seconds: SenderTurn<Sender>.silenceLimit)
        return connections.first { !$0.hasBeenHeard }
            ?? connections.filter { loop.now - $0.lastHeard >= limit }.min { $0.lastHeard < $1.lastHeard }
    }
}
