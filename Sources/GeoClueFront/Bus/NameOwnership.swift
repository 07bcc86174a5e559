internal import EventLoopSupport

/// The ownership of the service's name on the bus.
///
/// The name is requested as GeoClue does: without replacing another owner, and in a queue. So the daemon gets it as
/// soon as the other owner is gone, and keeps running until then.
struct NameOwnership {
    /// An action that follows an event.
    enum Action: Equatable {
        case log(String)
        /// Request the name, after this many seconds.
        case retry(seconds: Double)
    }

    /// The reply to a request: D-Bus specification, RequestName.
    enum Reply: Equatable {
        case owner, queued
        /// The bus refuses, with this text.
        case refused(String)

        init?(_ code: UInt32) {
            switch code {
            case 1, 4: self = .owner
            case 2: self = .queued
            default: return nil
            }
        }
    }

    private(set) var isOwner = false
    /// The last problem in the log, so that each attempt does not repeat it.
    private var logged: String?
    private var delay = Backoff(first: 1, greatest: 60)
    private let name: String

    init(name: String) {
        self.name = name
    }

    /// Handles the reply to a request.
    mutating func requested(_ reply: Reply) -> [Action] {
        switch reply {
        case .owner: return acquired()
        case .queued: return log("another program owns \(name) on the system bus: stop it, or disable geoclue.service")
        case .refused(let reason):
            return log("the system bus refuses the name \(name): \(reason)") + [.retry(seconds: delay.next())]
        }
    }

    /// Handles the signal NameAcquired.
    mutating func acquired() -> [Action] {
        guard !isOwner else { return [] }
        isOwner = true
        delay.reset()
        return log("apps that use GeoClue are served: \(name)")
    }

    /// Handles the signal NameLost.
    mutating func lost() -> [Action] {
        guard isOwner else { return [] }
        isOwner = false
        return log("the name \(name) was lost") + [.retry(seconds: delay.next())]
    }

    /// Handles the end of the connection to the bus.
    mutating func disconnected() { isOwner = false }

    private mutating func log(_ text: String) -> [Action] {
        guard text != logged else { return [] }
        logged = text
        return [.log(text)]
    }
}
