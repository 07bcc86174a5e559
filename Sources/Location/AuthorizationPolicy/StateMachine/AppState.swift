internal import Bytewise
internal import LocationModel

extension AuthorizationStateMachine {
    /// The state of an app, apart from the decision about it.
    struct AppState: Sendable {
        /// A Boolean value indicating whether the app has a connection.
        var isConnected = false
        /// The time of the app's last disconnection. Meaningless while `isConnected` is true.
        var absentSince: Int64
        /// The open prompt, or `nil` if there is none.
        var prompt: OpenPrompt?
        /// The requests that will be answered together with the prompt, or by the decision that is being written.
        var joined: [RequestID] = []
        /// The requests for something else, and the requests that cannot prompt yet because the user has too many open
        /// prompts, in order of arrival. They are handled again when this prompt is over or another prompt was closed.
        var waiting: [Request] = []
        /// The time of the prompt's abandonment by its last request, or `nil` if a request still waits for the answer.
        var abandonedSince: Int64?
        /// The decision that takes effect when it is on the disk, or `nil` if no decision is being written.
        var opening: Opening?
        /// A grant for "once" from before a restart, until one of its processes returns or 10 s have passed.
        var returning: Returning?
        /// The number of prompts dismissed in a row, without an answer in between.
        var dismissals = 0
        /// The time of the last dismissal.
        var lastDismissal: Int64 = 0
        /// The purposes of full accuracy that the user refused. A refusal lasts as long as a grant would.
        var declinedPurposes: Set<BytewiseString> = []

        init(absentSince: Int64) {
            self.absentSince = absentSince
        }

        /// A Boolean value indicating whether the state contains nothing worth keeping.
        var isIdle: Bool {
            !isConnected && prompt == nil && joined.isEmpty && waiting.isEmpty && opening == nil && returning == nil
                && dismissals == 0 && declinedPurposes.isEmpty
        }
    }

    /// A decision that is being written.
    struct Opening: Sendable {
        var write: UInt64
        var decision: Decision
        var endsTemporaryAccuracy: Bool
    }

    /// A grant for "once" that is not in effect.
    struct Returning: Sendable {
        var decision: Decision
        /// The processes that had the grant.
        var holders: Set<ProcessStart>
        /// The beginning of the period for their return.
        var since: Int64
    }

    /// A request of an app that has not been answered yet.
    struct Request: Sendable {
        enum Subject: Sendable {
            /// - prefersReduced: `true` if reduced accuracy suffices for the app.
            case level(RequestedLevel, UsageDescription?, prefersReduced: Bool)
            case temporaryFullAccuracy(purposeKey: String, presence: Presence)
        }

        var id: RequestID
        var subject: Subject
    }

    /// The entitlement of an app, including the provisional flag, which the app itself does not see.
    struct Standing: Equatable {
        var authorization: Authorization
        var isProvisional: Bool
    }
}
