public import AuthorizationPolicy
public import LocationModel

/// An answer from locationd-peers: one message of text.
public enum PeersReply: Equatable, Sendable {
    /// The identity of the process.
    case identity(AppIdentity)
    /// The process has no identity, for this reason.
    case refused(IdentityRefusal)
    /// The apps and the processes that hold the sockets. The descriptors of the processes come with the message.
    case holders(HoldersReply)
    /// The login that the process belongs to, or `nil` if there is none.
    case owner(Login.Owner?)
    /// The login could not be determined, because of this errno.
    case failed(Int32)
    /// The file that the process runs, or `nil` if it cannot be read.
    case executable(String?)
    /// The time when the process started, or `nil` if it cannot be read.
    case startTime(UInt64?)
    /// `true` if the process is in a sandbox or a container, or may be.
    case confinement(Bool)
    /// The path may be written to, or the line was written.
    case woken
    /// The path may not be written to, or the line was not written.
    case notWoken(WakeRefusal)

    /// The maximum length of a message, in bytes: enough for the longest names of all apps that hold sockets.
    public static let maximumLength = 40_960

    /// The message to send.
    public var bytes: [UInt8] { Array("\(word) \(value)".utf8) }

    private var word: String {
        switch self {
        case .identity: "identity"
        case .refused: "refused"
        case .holders: "holders"
        case .owner(nil): "unowned"
        case .owner(.session): "session"
        case .owner(.userManager): "manager"
        case .failed: "failed"
        case .executable(nil): "unreadable"
        case .executable: "executable"
        case .startTime(nil): "unstarted"
        case .startTime: "started"
        case .confinement(let isConfined): isConfined ? "confined" : "free"
        case .woken: "woken"
        case .notWoken(let refusal): refusal.mayHaveArrived ? "partly" : "asleep"
        }
    }

    private var value: String {
        switch self {
        case .identity(let app): app.description
        case .refused(let refusal): refusal.rawValue
        case .holders(let reply): reply.text
        case .owner(.session(let session)): session
        case .owner(.userManager(let uid)): "\(uid)"
        case .failed(let errno): "\(errno)"
        case .executable(let path): path ?? ""
        case .startTime(let time): time.map { "\($0)" } ?? ""
        case .notWoken(let refusal): refusal.description
        case .owner(nil), .confinement, .woken: ""
        }
    }

    /// Parses a message. Returns `nil` if it is not an answer.
    public init?(_ bytes: some Collection<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let word = String(validating: parts[0], as: UTF8.self),
            let value = String(validating: parts[1], as: UTF8.self)
        else { return nil }
        let read: PeersReply? =
            switch word {
            case "identity": AppIdentity(value).map { .identity($0) }
            case "refused": IdentityRefusal(rawValue: value).map { .refused($0) }
            case "holders": HoldersReply(parts[1]).map { .holders($0) }
            case "unowned": .owner(nil)
            case "session": .owner(.session(value))
            case "manager": UInt32(value).map { .owner(.userManager($0)) }
            case "failed": Int32(value).map { .failed($0) }
            case "unreadable": .executable(nil)
            case "executable": .executable(value)
            case "unstarted": .startTime(nil)
            case "started": UInt64(value).map { .startTime($0) }
            case "confined": .confinement(true)
            case "free": .confinement(false)
            case "woken": .woken
            case "asleep": .notWoken(WakeRefusal(description: value))
            // Attack: an app that reads half of a line has the location, and must still be counted.
            case "partly": .notWoken(WakeRefusal(description: value, mayHaveArrived: true))
            default: nil
            }
        guard let read else { return nil }
        self = read
    }
}
