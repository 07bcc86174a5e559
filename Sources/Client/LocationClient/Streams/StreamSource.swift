internal import LocationProtocol

/// The call behind a stream, and the translation of its replies. Each run of a stream has its own copy.
protocol StreamSource<Element>: Sendable {
    /// The method that replies repeatedly.
    associatedtype Called: LocationMethod
    associatedtype Element: Sendable

    /// A Boolean value indicating whether a separate call must confirm that the daemon answers, because the first reply
    /// may come late.
    static var greets: Bool { get }

    /// Returns the parameters of a call made that many seconds after the stream began, or `nil` if nothing is left to
    /// request.
    mutating func parameters(after seconds: Double) -> Called.Parameters?
    /// Returns the element in a reply, or `nil` if there is none.
    mutating func element(of reply: Called.Reply) -> Element?
    /// Returns the authorization in a reply, or `nil` if there is none.
    func authorization(in reply: Called.Reply) -> AuthorizationState?
    /// Returns the element for `notice`, or `nil` if the stream does not report it.
    func element(of notice: StreamNotice) -> Element?
}

/// A notice about the connection of a stream.
enum StreamNotice: Sendable, Equatable {
    case disconnected
    case reconnected
    /// The authorization changed while there was no connection.
    case authorizationChanged(AuthorizationState)
}

extension StreamSource {
    static var greets: Bool { true }

    func authorization(in reply: Called.Reply) -> AuthorizationState? { nil }
}
