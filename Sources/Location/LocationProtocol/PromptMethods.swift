public import LocationModel
public import Varlink

/// The method that replies with the open prompts, and then with their changes.
public enum MonitorPrompts: ManageMethod {
    /// The parameters of a call.
    public struct Parameters: UserParameters, AuthenticationParameters, Codable, Sendable, Equatable {
        /// A user ID, or `nil` for the caller's own ID. For an administrator, `nil` means the prompts of all users.
        public var uid: Int?
        /// The languages that the user reads, the preferred ones first.
        public var languages: [String]?
        /// A Boolean value indicating whether polkit may ask the user to authenticate. `nil` means that it may.
        public var allowInteractiveAuthentication: Bool?

        /// Creates the parameters of a call.
        public init(uid: Int? = nil, languages: [String]? = nil, allowInteractiveAuthentication: Bool? = nil) {
            self.uid = uid
            self.languages = languages
            self.allowInteractiveAuthentication = allowInteractiveAuthentication
        }
    }
    /// The open prompts or, after the first list, the changes.
    public struct Reply: Codable, Sendable, Equatable {
        /// The open prompts, the oldest first. After the first list: the prompts that were opened since the previous
        /// list.
        public var prompts: [Prompt]
        /// The IDs of the prompts that were closed since the previous list, or `nil` in the first list.
        public var closed: [Int]?
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply that opens and closes these prompts and ends the list.
        public init(prompts: [Prompt], closed: [Int]? = nil) {
            self.prompts = prompts
            self.closed = closed
        }
    }
}

/// The subject of a prompt.
public enum PromptSubject: String, Codable, Sendable, CaseIterable {
    case whenInUse, always, alwaysInsteadOfWhenInUse, keepAlways, temporaryFullAccuracy
}

/// A prompt that waits for its user.
public struct Prompt: Codable, Sendable, Equatable {
    /// The ID of the prompt.
    public var id: Int
    /// The app, as `kind:name`.
    public var app: String
    /// The ID of the user who runs the app.
    public var uid: Int
    /// The degree to which the app's identity resists impersonation.
    public var strength: AppIdentity.Strength
    /// The name from the app's manifest.
    public var displayName: String?
    /// The login name of the user.
    public var user: String?
    /// The executable of the process that made the request.
    public var executable: String?
    /// The ID of the process that made the request.
    public var pid: Int?
    /// The subject of the prompt.
    public var question: PromptSubject
    /// The key of the purpose, for a request for full accuracy.
    public var purpose: String?
    /// The purpose of the location.
    public var description: String?
    /// A Boolean value indicating whether the description comes from the app itself rather than from a manifest.
    public var ownWords: Bool
    /// The accuracy of an answer that does not specify one.
    public var accuracy: AccuracyAuthorization
    /// The accepted answers, in display order.
    public var answers: [PromptAnswer]
    /// The decision about the app, or `nil` without a decision.
    public var decision: DecisionSummary?
    /// The revision of that decision.
    public var revision: Int
    /// The time when the prompt was opened.
    public var since: Timestamp

    /// Creates a prompt without the values that may be absent.
    public init(
        id: Int, key: AppKey, question: PromptSubject, ownWords: Bool, accuracy: AccuracyAuthorization,
        answers: [PromptAnswer], revision: Int = 1, since: Timestamp
    ) {
        self.id = id
        app = key.app.description
        uid = Int(key.uid)
        strength = key.app.strength
        self.question = question
        self.ownWords = ownWords
        self.accuracy = accuracy
        self.answers = answers
        self.revision = revision
        self.since = since
    }
}

/// The method that answers a prompt.
public enum AnswerPrompt: ManageMethod {
    /// An empty reply.
    public typealias Reply = Nothing
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The ID of the prompt.
        public var id: Int
        /// One of the answers that the prompt offers.
        public var answer: PromptAnswer
        /// The accuracy to grant. Default: the prompt's accuracy.
        public var accuracy: AccuracyAuthorization?

        /// Creates the parameters of a call.
        public init(id: Int, answer: PromptAnswer, accuracy: AccuracyAuthorization? = nil) {
            self.id = id
            self.answer = answer
            self.accuracy = accuracy
        }
    }
}
