internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension DaemonConnection {
    /// Answers a prompt. Returns the reason if the daemon did not accept the answer, and otherwise `nil`.
    func answer(_ id: Int, _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) async -> String? {
        do {
            _ = try await call(AnswerPrompt.self, .init(id: id, answer: answer, accuracy: accuracy))
            return nil
        } catch {
            return (error as? Failure)?.message ?? "the answer could not be sent to locationd"
        }
    }
}
