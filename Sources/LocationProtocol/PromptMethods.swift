public import LocationModel
public import Varlink

/// The questions that are open.
public enum MonitorPrompts: ManageMethod {
    /// Whose, and in which language.
    public struct Parameters: NamesUser, Codable, Sendable, Equatable {
        /// A user id; the caller's own where it is absent.
        public var uid: Int?
        /// The languages that the user reads, the preferred first.
        public var languages: [String]?

        /// Those questions in those languages.
        public init(uid: Int? = nil, languages: [String]? = nil) {
            self.uid = uid
            self.languages = languages
        }
    }
    /// The prompts that are open; after the first list, what has changed.
    public struct Reply: Codable, Sendable, Equatable {
        /// The oldest first. After the first list, those that were opened since.
        public var prompts: [Prompt]
        /// The ids of those that were closed since the list before; absent in the first list.
        public var closed: [Int]?
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Makes a reply that opens and closes these prompts and ends the list.
        public init(prompts: [Prompt], closed: [Int]? = nil) {
            self.prompts = prompts
            self.closed = closed
        }
    }
}

/// What a question is about.
public enum PromptQuestion: String, Codable, Sendable, CaseIterable {
    case whenInUse, always, alwaysInsteadOfWhenInUse, keepAlways, temporaryFullAccuracy
}

/// A question that waits for its user.
public struct Prompt: Codable, Sendable, Equatable {
    /// Names it.
    public var id: Int
    /// `kind:name`.
    public var app: String
    /// The user that the app runs as.
    public var uid: Int
    /// How hard it is for another process to take the app's identity on.
    public var strength: AppIdentity.Strength
    /// From the app's manifest.
    public var displayName: String?
    /// The login name.
    public var user: String?
    /// Of the process that asks.
    public var executable: String?
    /// The process that asks.
    public var pid: Int?
    /// What is asked.
    public var question: PromptQuestion
    /// The key that full accuracy is asked for.
    public var purpose: String?
    /// What the app wants it for.
    public var description: String?
    /// A Boolean value indicating whether the app says so itself, and no manifest does.
    public var ownWords: Bool
    /// That of an answer that names none.
    public var accuracy: AccuracyAuthorization
    /// Those that are taken, in the order in which they are shown.
    public var answers: [PromptAnswer]
    /// When it was asked first.
    public var since: Timestamp

    /// A question with what it needs.
    public init(
        id: Int, key: AppKey, question: PromptQuestion, ownWords: Bool, accuracy: AccuracyAuthorization,
        answers: [PromptAnswer], since: Timestamp
    ) {
        self.id = id
        app = key.app.description
        uid = Int(key.uid)
        strength = key.app.strength
        self.question = question
        self.ownWords = ownWords
        self.accuracy = accuracy
        self.answers = answers
        self.since = since
    }
}

/// Answers a question.
public enum AnswerPrompt: ManageMethod {
    /// It tells nothing.
    public typealias Reply = Nothing
    /// Which question, and what the user says.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The question's.
        public var id: Int
        /// One of those that it takes.
        public var answer: PromptAnswer
        /// The question's own where it is absent.
        public var accuracy: AccuracyAuthorization?

        /// That answer.
        public init(id: Int, answer: PromptAnswer, accuracy: AccuracyAuthorization? = nil) {
            self.id = id
            self.answer = answer
            self.accuracy = accuracy
        }
    }
}
