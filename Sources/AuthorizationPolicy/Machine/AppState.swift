internal import Bytewise
internal import LocationModel

extension AuthorizationMachine {
    /// What is remembered of an app beside the decision about it.
    struct AppState: Sendable {
        /// A Boolean value indicating whether it has a connection.
        var isConnected = false
        /// Since when it has had none; of use while `isConnected` is false.
        var absentSince: Int64
        /// The question that is open.
        var question: Question?
        /// The requests that the answer to the question, or the decision that is being written, is for.
        var askers: [RequestID] = []
        /// The requests that ask for something else, or for which there is no prompt yet because the user has enough of
        /// them open, in their order. They are looked at again when the question is over or a prompt was closed.
        var waiting: [Request] = []
        /// Since when nobody waits for the answer to the question any more.
        var abandonedSince: Int64?
        /// The decision that holds when it is on the disk.
        var opening: Opening?
        /// Questions dismissed in a row, without an answer between.
        var dismissals = 0
        /// When the last one of them was.
        var lastDismissal: Int64 = 0
        /// The purposes for which the user said no to full accuracy. It holds as long as a yes would.
        var declinedPurposes: Set<BytewiseString> = []

        init(absentSince: Int64) {
            self.absentSince = absentSince
        }

        /// A Boolean value indicating whether there is nothing to remember.
        var isIdle: Bool {
            !isConnected && question == nil && askers.isEmpty && waiting.isEmpty && opening == nil && dismissals == 0
                && declinedPurposes.isEmpty
        }
    }

    /// A decision on its way to the disk.
    struct Opening: Sendable {
        var write: UInt64
        var decision: Decision
        var endsTemporaryAccuracy: Bool
    }

    /// A request of an app, as long as it has no answer.
    struct Request: Sendable {
        enum Wish: Sendable {
            case level(RequestedLevel, UsageDescription?)
            case temporaryFullAccuracy(purposeKey: String, presence: Presence)
        }

        var id: RequestID
        var wish: Wish
    }

    /// What an app may have, the difference included that it does not see itself.
    struct Standing: Equatable {
        var authorization: Authorization
        var isProvisional: Bool
    }
}
