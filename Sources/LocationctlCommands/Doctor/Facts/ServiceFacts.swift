internal import LocationModel
internal import LocationProtocol

/// What the daemon answers.
struct ServiceFacts: Sendable {
    /// A Boolean value indicating whether it answered at all on the public socket.
    var answers = false
    /// Why not, in words for people.
    var failure: String?
    /// What it has decided about this program; `nil` where it did not answer.
    var authorization: Authorization?
    /// How it names this program.
    var app: String?
    /// What the management socket told; `nil` where it did not answer.
    var services: GetServices.Reply?
    var receivers: [ReceiverSummary]?
    /// How many questions wait for a user.
    var openPrompts: Int?
    var managementFailure: String?
}
