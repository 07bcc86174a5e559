internal import AuthorizationPolicy
internal import Bytewise
internal import JSON
internal import LocationCore
internal import LocationModel
internal import NIOCore
internal import Receivers

/// The conversation with an admitted client: performs the actions of its ``ConversationStateMachine``. Confined to the
/// event loop.
final class Conversation {
    let app: ConnectedApp
    private let connection: GPSDConnection
    private let server: GPSDServer
    private var machine: ConversationStateMachine
    private var watcher: AuthorizationWatcher?
    private var subscriber: SessionSubscriber?
    private var prompt: AuthorizationBroker.RequestID?

    init(with app: ConnectedApp, on connection: GPSDConnection) {
        self.app = app
        self.connection = connection
        server = connection.server
        let authorization = server.core.broker.table.authorization(of: app.key)
        machine = ConversationStateMachine(app: app.key.app, access: Access(authorization))
        let watcher = AuthorizationWatcher(authorization) { [unowned self] in authorizationChanged(to: $0) }
        self.watcher = watcher
        app.add(watcher)
    }

    /// Ends the conversation, because the connection is closed.
    func end() {
        if let watcher { app.remove(watcher) }
        watcher = nil
        closeSubscription()
        cancelPrompt()
    }

    // MARK: Requests

    func handle(_ request: ClientRequest) { handle(.request(request, at: server.clock())) }

    func refuseOverlongRequest() {
        connection.send(
            reply: ByteBuffer(line: { $0.error("a request has at most \(RequestSplitter.maximumLength) bytes") }))
    }

    func handle(_ event: ConversationStateMachine.Event) {
        for action in machine.handle(event, server.devices) { perform(action) }
    }

    private func perform(_ action: ConversationStateMachine.Action) {
        // Any of the actions may find the client's connection closed. A subscription opened after that would stay open
        // forever.
        guard !connection.isClosed else { return }
        switch action {
        case .reply(let bytes): connection.send(reply: bytes)
        case .report(let report): connection.send(report: report)
        case .dropReports: connection.dropReports()
        case .open(let contents): openSubscription(contents)
        case .close: closeSubscription()
        case .prompt: requestAuthorization()
        }
    }

    // MARK: Authorization

    /// Handles the app's authorization, which may have changed.
    func authorizationChanged(to authorization: Authorization) {
        handle(.authorization(Access(authorization)))
    }

    /// Has the user prompted, later and from the event loop: an authorization may be changing right now.
    private func requestAuthorization() {
        let bound = NIOLoopBound(self, eventLoop: server.eventLoop)
        server.eventLoop.execute { bound.value.requestAuthorizationNow() }
    }

    private func requestAuthorizationNow() {
        guard watcher != nil, case .undecided = machine.access else { return }
        cancelPrompt()
        if let process = server.core.peers.processID(of: connection) { app.noteRequest(by: process) }
        // A system service is never in use: "while in use" would give it nothing.
        let level: RequestedLevel = app.key.app.kind == .service ? .always : .whenInUse
        prompt = server.core.broker.request(level, reason: Self.reason, by: app.key) { _ in }
    }

    /// The reason that the prompt shows for an app without a manifest. gpsd's protocol does not let clients state one.
    private static let reason = "It uses gpsd's protocol, which has no way to state a reason."

    private func cancelPrompt() {
        guard let prompt else { return }
        self.prompt = nil
        server.core.broker.cancel(prompt, by: app.key)
    }

    // MARK: The subscription

    /// Opens a subscription. It may deliver before this function returns.
    private func openSubscription(_ contents: ReceiverReportContents) {
        var options = SubscriptionOptions()
        options.pausesAutomatically = false
        options.reportContents = contents
        let subscriber = SessionSubscriber(connection)
        self.subscriber = subscriber
        server.core.subscriptions.open(options, of: app, for: subscriber)
        handle(.opened)
    }

    private func closeSubscription() {
        let subscriber = subscriber
        self.subscriber = nil
        subscriber?.close()
    }

    /// Handles the end of a subscription by the core.
    func subscriptionEnded(_ ended: SessionSubscriber) {
        guard ended === subscriber else { return }
        subscriber = nil
        handle(.subscriptionEnded)
    }

    // MARK: Reports

    func receive(_ messages: EpochMessages) {
        if let report = machine.receive(messages) { connection.send(report: report) }
    }

    func receive(attitude: ByteBuffer) {
        connection.send(report: WaitingReport(subject: .heading, content: .detail, bytes: attitude))
    }

    func receive(change: ByteBuffer, of device: String) {
        guard machine.wantsMessage(of: device) else { return }
        connection.send(
            report: WaitingReport(subject: .device(BytewiseString(device)), content: .detail, bytes: change))
    }

    /// A Boolean value indicating whether the client is sent headings.
    var wantsHeadings: Bool { machine.wantsMessage(of: server.encoder.headingDevice) }

    /// Returns whether the client is sent a report that this receiver has no fix.
    func wantsReport(withoutFixOf receiver: String) -> Bool {
        machine.wants(device: server.devices.path(ofReceiver: receiver))
    }
}
