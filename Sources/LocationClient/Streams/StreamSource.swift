internal import LocationProtocol

/// What a stream asks the daemon for, and what it makes of the replies. Each run of a stream has a copy of its own.
protocol StreamSource<Element>: Sendable {
    /// The method that replies again and again.
    associatedtype Called: LocationMethod
    associatedtype Element: Sendable

    /// A Boolean value indicating whether another call has to tell that the daemon answers, because the first reply may
    /// come late.
    static var greets: Bool { get }

    /// What to call with, so many seconds after the stream began; `nil` when nothing is left to be asked for.
    mutating func parameters(after seconds: Double) -> Called.Parameters?
    /// What a reply tells; `nil` for nothing.
    mutating func element(of reply: Called.Reply) -> Element?
    /// The authorization that a reply tells.
    func authorization(in reply: Called.Reply) -> AuthorizationState?
    /// How `notice` is told; `nil` where it is not.
    func element(of notice: StreamNotice) -> Element?
}

/// What the connection of a stream has to tell.
enum StreamNotice: Sendable, Equatable {
    case disconnected
    case reconnected
    /// It changed while there was no connection.
    case authorizationChanged(AuthorizationState)
}

extension StreamSource {
    static var greets: Bool { true }

    func authorization(in reply: Called.Reply) -> AuthorizationState? { nil }
}
