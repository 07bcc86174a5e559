internal import LocationModel
internal import LocationProtocol

/// The answers of the daemon.
struct ServiceFacts: Sendable {
    /// A Boolean value indicating whether the daemon answered on the public socket.
    var answers = false
    /// The reason why it did not answer, for users.
    var failure: String?
    /// The authorization of this program, or `nil` if the daemon did not answer.
    var authorization: Authorization?
    /// The app identity of this program.
    var app: String?
    /// The location services' switches, or `nil` if the management socket did not answer.
    var services: GetServices.Reply?
    /// The receivers, or `nil` if the management socket did not answer.
    var receivers: [ReceiverSummary]?
    /// The time for chrony, or `nil` if it is not passed on or the caller may not know.
    var time: TimeStatistics?
    /// The number of prompts that wait for an answer, or `nil` if the management socket did not answer.
    var openPrompts: Int?
    /// The reason why the management socket did not answer, for users.
    var managementFailure: String?
}
