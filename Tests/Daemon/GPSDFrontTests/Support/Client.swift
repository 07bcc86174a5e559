import LocationModel
import NIOCore

@testable import GPSDFront
@testable import LocationCore

/// A session, with the messages to its client.
struct Client {
    /// The path has a blank, so that the command in an ERROR has to be quoted.
    static let app = AppIdentity(kind: .exe, name: "/usr/bin/fox trot")!

    var session: ConversationStateMachine
    var devices = Samples.devices
    /// The lines that the client was sent.
    private(set) var lines: [String] = []
    /// A Boolean value indicating whether a subscription is open.
    private(set) var isOpen = false
    private(set) var opened = 0
    private(set) var prompts = 0
    /// A Boolean value indicating whether the core suspends a subscription at once.
    var opensSuspended = false
    /// The number of dropped waiting reports.
    private(set) var drops = 0

    init(_ access: Access = .undecided) {
        session = ConversationStateMachine(app: Self.app, access: access)
    }

    mutating func send(_ request: String) {
        handle(.request(ClientRequest(parsing: Array(request.utf8)), at: Samples.time))
    }

    /// Sends the request of libgps.
    mutating func watch() { send(#"?WATCH={"enable":true,"json":true};"#) }

    mutating func access(_ access: Access) {
        // The core ends the subscription of an app without a grant before it reports the authorization.
        if isOpen, case .granted = access {} else if isOpen { endSubscription() }
        handle(.authorization(access))
    }

    mutating func endSubscription() {
        isOpen = false
        handle(.subscriptionEnded)
    }

    mutating func suspend() { handle(.suspended) }
    mutating func unsuspend() { handle(.unsuspended) }
    mutating func loseReceiver() { handle(.receiverLost) }

    /// Has the core deliver an epoch, whether a subscription is open or not.
    mutating func receive(_ messages: EpochMessages) {
        if let report = session.receive(messages) { lines += report.bytes.lines }
    }

    /// Returns the lines since the last call.
    mutating func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    private mutating func handle(_ event: ConversationStateMachine.Event) {
        for action in session.handle(event, devices) {
            switch action {
            case .reply(let bytes): lines += bytes.lines
            case .report(let report): lines += report.bytes.lines
            case .dropReports: drops += 1
            case .open:
                isOpen = true
                opened += 1
                if opensSuspended { suspend() }
                handle(.opened)
            case .close: isOpen = false
            case .prompt: prompts += 1
            }
        }
    }
}
