internal import LocationProtocol
internal import Varlink

/// The source of the authorization, each time that it changes.
struct AuthorizationSource: StreamSource {
    typealias Called = GetAuthorization

    /// False, since the first reply comes at once.
    static var greets: Bool { false }

    private var last: AuthorizationState?

    func parameters(after seconds: Double) -> Nothing? { Nothing() }

    mutating func element(of reply: GetAuthorization.Reply) -> AuthorizationState? {
        guard reply.authorization != last else { return nil }
        last = reply.authorization
        return last
    }

    func element(of notice: StreamNotice) -> AuthorizationState? { nil }
}
