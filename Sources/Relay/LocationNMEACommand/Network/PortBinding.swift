internal import EventLoopSupport
internal import Logging
internal import NIOCore

/// Binds a port of this machine, retrying until it succeeds and after the system has closed the socket. Confined to the
/// event loop.
///
/// The address may not exist yet, as before the network is up, or another program may hold the port.
final class PortBinding {
    /// The purpose of a port.
    enum Purpose {
        case listening
        case sending
    }

    private let purpose: Purpose
    private let name: String
    private let bind: () -> EventLoopFuture<any Channel>
    private let onStatus: (String) -> Void
    private let log: Logger
    private let retry: Retry
    private var channel: (any Channel)?
    /// The last logged failure, so that each failure is logged once.
    private var loggedFailure: String?
    private(set) var isStopped = false

    /// - Parameters:
    ///   - name: The port's name in messages.
    ///   - onStatus: Called with the state in words, for the service manager.
    ///   - bind: Binds the port.
    init(
        _ purpose: Purpose = .listening, of name: String, on loop: any EventLoop, log: Logger,
        onStatus: @escaping (String) -> Void,
        bind: @escaping () -> EventLoopFuture<any Channel>
    ) {
        self.purpose = purpose
        self.name = name
        self.bind = bind
        self.onStatus = onStatus
        self.log = log
        retry = Retry(Backoff(first: 0.5, greatest: 30), on: loop)
    }

    func start() {
        bind().assumeIsolated().whenComplete { [weak self] result in
            switch result {
            case .success(let channel):
                guard let self, !self.isStopped else { return channel.close(promise: nil) }
                self.didBind(channel)
            case .failure(let error): self?.didFail(error.networkReason)
            }
        }
    }

    func stop() {
        isStopped = true
        retry.cancel()
        channel?.close(promise: nil)
        channel = nil
    }

    private func didBind(_ channel: any Channel) {
        self.channel = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in
            guard let self, !self.isStopped else { return }
            self.channel = nil
            self.didFail("the socket was closed")
        }
        onStatus(purpose == .listening ? "Listening at \(name)" : "Sending to \(name)")
        let activity = purpose == .listening ? "listening at" : "sending to"
        log.log(level: loggedFailure == nil ? .info : .notice, "\(activity) \(name)")
        loggedFailure = nil
    }

    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        let verb = purpose == .listening ? "listen at" : "send to"
        onStatus("Cannot \(verb) \(name): \(reason)")
        if loggedFailure != reason { log.error("cannot \(verb) \(name): \(reason); trying again") }
        loggedFailure = reason
        retry.schedule { [weak self] in self?.start() }
    }
}
