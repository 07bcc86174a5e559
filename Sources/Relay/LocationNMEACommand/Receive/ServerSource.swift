internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// A client of a server in the network, which reconnects whenever the connection ends.
final class ServerSource: ByteSource {
    /// The timeout for establishing a connection.
    static let connectTimeout = TimeAmount.seconds(10)

    private let host: String
    private let port: Int
    private let address: String
    private unowned let sink: any ByteSink
    private let loop: any EventLoop
    private let log: Logger
    private let retry: Retry
    private var connection: SenderConnection?
    private var isStopped = false
    /// The last logged failure, so that each failure is logged once.
    private var loggedFailure: String?

    init(host: String, port: Int, sink: any ByteSink, on loop: any EventLoop, log: Logger) {
        self.host = host
        self.port = port
        address = ReceiveSource.server(host: host, port: port).description
        self.sink = sink
        self.loop = loop
        self.log = log
        retry = Retry(Backoff(first: 0.5, greatest: 30), on: loop)
    }

    func start() { connect() }

    func stop() {
        isStopped = true
        retry.cancel()
        connection?.close()
        connection = nil
    }

    private func connect() {
        sink.report("Connecting to \(address)")
        let connection = SenderConnection(named: address, sink: sink) { [weak self] in self?.didEnd($1) }
        self.connection = connection
        let handler = NIOLoopBound(connection, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ServerBootstrap.bytesAtOnce)
            )
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(host: host, port: port)
            .assumeIsolated()
            .whenComplete { [weak self] result in
                switch result {
                case .success(let channel):
                    // `stop()` may have been called before the channel existed.
                    guard let self, !self.isStopped else { return channel.close(promise: nil) }
                    self.didConnect()
                case .failure(let error): self?.didFail(error.networkReason)
                }
            }
    }

    private func didConnect() {
        sink.report("Connected to \(address)")
        // A server that closes each connection at once would fill the log.
        log.log(level: loggedFailure == nil ? .info : .debug, "connected to \(address)")
    }

    private func didEnd(_ end: SenderConnection.End) {
        switch end {
        case .closed(let error):
            didFail(error.map { "the connection failed: \($0.networkReason)" } ?? "the connection was closed")
        case .foreign(let kind): didFail("it does not send NMEA 0183, but \(kind.explanation)")
        }
    }

    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        if let connection, connection.hasBeenHeard {
            retry.succeeded()
            loggedFailure = nil
        }
        connection = nil
        let message = "\(address): \(reason)"
        sink.report(message)
        if loggedFailure != reason { log.warning("\(message); trying again") }
        loggedFailure = reason
        retry.schedule { [weak self] in self?.connect() }
    }
}
