public import LocationModel

extension AuthorizationStateMachine {
    /// An action that the caller performs after a change.
    public enum Action: Sendable, Hashable {
        /// A write to the database. The caller performs the writes in the order of the actions, and reports each result
        /// with `written` or `writeFailed`.
        case write(Write)
        /// A prompt to show to the user.
        case open(OpenPrompt)
        /// A prompt to remove: it was answered or dismissed, or is no longer needed.
        case close(OpenPrompt)
        /// A change of the app's access. The caller notifies the app and updates its subscriptions, according to the
        /// table at that time. The authorization itself may be unchanged, for example after a provisional `always` was
        /// confirmed.
        case changed(AppKey)
        /// A reply to the request, with the app's authorization.
        case reply(request: RequestID, Authorization)
        /// An error in reply to the request.
        case refuse(request: RequestID, RequestRefusal)
        /// The time to call `advance(to:)`, in seconds since 1970. It replaces the time of the previous `wake`; `nil`
        /// cancels the previous time without a replacement.
        case wake(at: Int64?)
    }

    /// A change to store.
    public struct Write: Sendable, Hashable {
        /// A change to a row of the database.
        public enum Change: Sendable, Hashable {
            /// The decision about an app; `nil` removes it.
            case decision(Decision?, about: AppKey)
            /// The location services switch of a user or, if `uid` is `nil`, of the whole machine.
            case services(enabled: Bool, uid: UInt32?)
        }

        /// An identifier that is unique among all writes.
        public let id: UInt64
        /// The change to write.
        public let change: Change
    }

    /// An identifier that is unique among all pending requests. The caller chooses it.
    public typealias RequestID = UInt64
}
