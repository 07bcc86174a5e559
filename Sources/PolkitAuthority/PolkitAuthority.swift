package import EventLoopSupport
package import LocationCore
package import Logging
package import NIOCore
package import SystemBus

/// polkit, which decides about processes whose user is not in the group of the management socket.
///
/// There is a connection to the bus only while questions are open. Confined to the event loop.
package final class PolkitAuthority: ManagementAuthority, BusConnectionDelegate {
    static let serviceName = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    /// A question that is open.
    private struct Question {
        let permission: ManagementPermission
        let process: ManagingProcess
        let mayAskUser: Bool
        /// The connection that it was sent to, or `nil` if it was not sent yet.
        var sentTo: String?
        let body: (ManagementVerdict) -> Void
    }

    /// polkit's connection to the bus.
    private enum Service {
        /// There is no connection to the bus, or one is being established.
        case unknown
        case searching
        /// polkit's unique name.
        case known(String)
        /// polkit was not found, or has failed to answer: the next question looks for it again.
        ///
        /// Attack: a user asks without end, so that there always is a question and a connection, while polkit is
        /// away for a moment. Without this, everybody's questions would wait for a search that is over.
        case absent
    }

    private let loop: any EventLoop
    private let log: Logger
    private let bus: BusConnection
    private var questions: [UInt64: Question] = [:]
    private var lastNumber: UInt64 = 0
    private var service = Service.unknown
    /// The last problem in the log, so that each question does not repeat it.
    private var logged: String?

    /// Creates the authority. It is not connected.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus: that in DBUS_SYSTEM_BUS_ADDRESS, or the
    ///     machine's.
    ///   - poller: Waits for the bus.
    package init(address: String? = nil, poller: DescriptorPoller, on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        bus = BusConnection(
            address: address, consequence: "users who are not in the group locationd cannot manage", poller: poller,
            on: loop, log: log)
        bus.delegate = self
    }

    /// A Boolean value indicating whether there is a connection to the bus, or one is being established.
    var isConnected: Bool { bus.isOpen }

    /// Disconnects for good. No question is answered any more.
    package func stop() {
        questions = [:]
        bus.stop()
    }

    // MARK: Questions

    package func ask(
        _ permission: ManagementPermission, for process: ManagingProcess, mayAskUser: Bool,
        _ body: @escaping (ManagementVerdict) -> Void
    ) -> UInt64 {
        lastNumber += 1
        questions[lastNumber] = Question(
            permission: permission, process: process, mayAskUser: mayAskUser, body: body)
        switch service {
        case .known(let service): send(lastNumber, to: service)
        case .absent: search()
        case .searching: break
        case .unknown:
            bus.start()
            if !bus.isOpen { failLater() }
        }
        return lastNumber
    }

    package func withdraw(_ question: UInt64) {
        guard let withdrawn = questions.removeValue(forKey: question) else { return }
        if let service = withdrawn.sentTo {
            // There is nothing to be done about an error: the question may just have been answered.
            bus.call(
                "CancelCheckAuthorization", of: Self.interface, at: Self.path, on: service,
                [.string(Self.cancellation(question))], timeout: nil
            ) { _ in }
        }
        disconnectWhenIdle()
    }

    private static func cancellation(_ question: UInt64) -> String { "locationd-\(question)" }

    /// Sends a question to polkit.
    ///
    /// Attack: an app names another process. So the subject is the process that the kernel names, with the time at
    /// which it started, and the user that it had when it connected. It is not named by its pidfd, which polkit takes
    /// from version 124 on: a connection over which descriptors go also gets those that anybody on the bus sends, and
    /// closing such a one may take as long as its sender likes. The caller checks that the process is alive after the
    /// answer, so nothing is lost.
    private func send(_ number: UInt64, to service: String) {
        guard let question = questions[number] else { return }
        questions[number]?.sentTo = service
        // Flags 1: polkit may ask the user (AllowUserInteraction).
        bus.call(
            "CheckAuthorization", of: Self.interface, at: Self.path, on: service,
            [
                question.process.subject, .string(question.permission.action), .texts([:]),
                .uint32(question.mayAskUser ? 1 : 0),
                .string(Self.cancellation(number)),
            ], timeout: nil
        ) { [unowned self] reply in finish(number, verdict(reply)) }
    }

    private func verdict(_ reply: CallReply) -> ManagementVerdict {
        switch reply {
        case .message(let message):
            guard let result = message.authorizationResult else {
                note("polkit's answer cannot be read")
                return .unavailable
            }
            logged = nil
            return result
        case .failure(let text):
            note("polkit cannot be asked: \(text)")
            // It may have been started again, with another name.
            if case .known = service { service = .absent }
            return .unavailable
        case .none: return .unavailable
        }
    }

    private func finish(_ number: UInt64, _ verdict: ManagementVerdict) {
        questions.removeValue(forKey: number)?.body(verdict)
        disconnectWhenIdle()
    }

    // MARK: The connection

    package func connected() {
        service = .absent
        guard !questions.isEmpty else { return disconnectWhenIdle() }
        search()
    }

    private func search() {
        service = .searching
        bus.findOwner(ofStarted: Self.serviceName) { [unowned self] owner in
            switch owner {
            case .found(let owner): found(owner)
            case .absent(let why):
                service = .absent
                note("polkit is not available: \(why)")
                for number in unsent { questions.removeValue(forKey: number)?.body(.unavailable) }
                disconnectWhenIdle()
            }
        }
    }

    private func found(_ owner: String) {
        service = .known(owner)
        for number in unsent { send(number, to: owner) }
    }

    /// The questions that were not sent yet, in their order.
    private var unsent: [UInt64] { questions.filter { $0.value.sentTo == nil }.keys.sorted() }

    /// Handles the loss of the connection, and its end: questions that were sent are not answered any more.
    package func disconnected() {
        service = .unknown
        failLater()
    }

    package func receive(_ call: IncomingCall) { bus.reply(to: call, .unknownObject) }

    package func receive(_ signal: BusMessage) {}

    /// Ends all questions without an answer, but not within the call that has brought one of them.
    private func failLater() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let last = lastNumber
        loop.execute {
            let authority = bound.value
            guard case .unknown = authority.service else { return }
            for number in authority.questions.keys.sorted() where number <= last {
                authority.questions.removeValue(forKey: number)?.body(.unavailable)
            }
            authority.disconnectWhenIdle()
        }
    }

    /// Disconnects if no question is open. The daemon keeps no connection that it does not need, and does not try again
    /// to connect.
    private func disconnectWhenIdle() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            guard bound.value.questions.isEmpty else { return }
            bound.value.bus.disconnect()
        }
    }

    /// Logs a problem, unless it was the last one in the log.
    ///
    /// Attack: a user asks without end, to fill the log.
    private func note(_ problem: String) {
        guard problem != logged else { return }
        logged = problem
        log.warning("users who are not in the group locationd cannot manage: \(problem)")
    }
}

extension ManagementPermission {
    /// The id of the action, which polkit/io.locationd.policy declares.
    var action: String {
        switch self {
        case .answer: "io.locationd.answer"
        case .manage: "io.locationd.manage"
        }
    }
}

extension ManagingProcess {
    /// polkit's subject: polkit(8), "unix-process".
    fileprivate var subject: BusValue {
        .structure([
            .string("unix-process"),
            .properties([
                PropertyValue("pid", .uint32(UInt32(clamping: pid))), PropertyValue("start-time", .uint64(startTime)),
                PropertyValue("uid", .int32(Int32(bitPattern: uid))),
            ]),
        ])
    }
}

extension BusMessage {
    /// The result in a reply of CheckAuthorization, or `nil` if it cannot be read.
    fileprivate var authorizationResult: ManagementVerdict? {
        readStructure("bba{ss}") {
            guard let isAuthorized = readBoolean(), let isChallenge = readBoolean() else { return nil }
            if isAuthorized { return .authorized }
            // A user who closes the dialog makes no challenge.
            return isChallenge ? .authenticationNeeded : .refused
        }
    }
}
