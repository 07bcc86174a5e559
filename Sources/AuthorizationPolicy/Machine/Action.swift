public import LocationModel

extension AuthorizationMachine {
    /// What has to be done after something happened.
    public enum Action: Sendable, Hashable {
        /// Put it on the disk, in the order of these actions, and say how that went: `written` or `notWritten`.
        case write(Write)
        /// Show the question to the user.
        case ask(Question)
        /// The question is over: answered, dismissed, or nothing to be asked any more. Take it away.
        case close(Question)
        /// The app may have more or less than before: tell it, and look at its streams. The authorization itself may be
        /// the same, where a provisional `always` was confirmed.
        case changed(AppKey, Authorization)
        /// Answer the request: this is what the app may have.
        case reply(request: RequestID, Authorization)
        /// Answer the request with an error.
        case refuse(request: RequestID, RequestRefusal)
        /// Call `advance(to:)` at that moment, in seconds since 1970, and no more at the one that was named before;
        /// `nil`: at none.
        case wake(at: Int64?)
    }

    /// What is to be kept.
    public struct Write: Sendable, Hashable {
        /// A row of the database.
        public enum Change: Sendable, Hashable {
            /// What was decided about an app; `nil` removes it.
            case decision(Decision?, about: AppKey)
            /// The services switch of a user; the machine's where `uid` is `nil`.
            case services(enabled: Bool, uid: UInt32?)
        }

        /// Names it among all writes.
        public let id: UInt64
        /// What is to be written.
        public let change: Change
    }

    /// Names a request among all that are pending. The caller chooses it.
    public typealias RequestID = UInt64
}
