internal import EventLoopSupport

/// The ownership of a service's name on the bus.
///
/// The request does not replace another owner; it waits in the bus's queue. So the daemon gets the name as soon as the
/// other owner is gone, and keeps running until then.
package struct NameOwnershipStateMachine {
    package enum Event {
        /// The bus has replied to a request.
        case replied(Reply)
        /// The signal NameAcquired.
        case acquired
        /// The signal NameLost.
        case lost
        /// The connection to the bus has ended. The reason, if any, is for the log.
        case disconnected(String?)
    }

    /// An action to perform after an event.
    package enum Action: Equatable {
        case log(String)
        /// Request the name, after this many seconds.
        case retry(seconds: Double)
    }

    /// The reply to a request: D-Bus specification, RequestName.
    package enum Reply: Equatable {
        case owner, queued
        /// The bus refuses, with this text.
        case refused(String)

        package init?(_ code: UInt32) {
            switch code {
            case 1, 4: self = .owner
            case 2: self = .queued
            default: return nil
            }
        }
    }

    package private(set) var isOwner = false
    /// The last problem in the log. It is not logged again for each attempt.
    private var logged: String?
    private var delay = Backoff(first: 1, greatest: 60)
    private let name: String
    private let served: String
    private let remedy: String

    /// - Parameters:
    ///   - name: The requested name.
    ///   - served: The interface that works with the name, for the log.
    ///   - remedy: The advice for a user whose machine has another owner of the name, for the log.
    package init(name: String, served: String, remedy: String) {
        self.name = name
        self.served = served
        self.remedy = remedy
    }

    /// Handles an event. Returns the actions to perform, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .replied(.owner), .acquired:
            guard !isOwner else { return [] }
            isOwner = true
            delay.reset()
            return log("\(served): \(name)")
        case .replied(.queued): return log("another program owns \(name) on the system bus: \(remedy)")
        case .replied(.refused(let reason)):
            return log("the system bus refuses the name \(name): \(reason)") + [.retry(seconds: delay.next())]
        case .lost:
            guard isOwner else { return [] }
            isOwner = false
            return log("the name \(name) was lost") + [.retry(seconds: delay.next())]
        case .disconnected(let reason):
            isOwner = false
            return reason.map { log($0) } ?? []
        }
    }

    private mutating func log(_ text: String) -> [Action] {
        guard text != logged else { return [] }
        logged = text
        return [.log(text)]
    }
}
