internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The calls about prompts and the user's answers.
struct PromptCalls {
    let broker: AuthorizationBroker
    let agents: PromptAgents
    let peers: Peers
    let descriptions: AppDescriptions
    let observers: ListObservers

    func monitor(
        _ call: Call<MonitorPrompts>, _ request: MonitorPrompts.Parameters, _ manager: ManagementAccess.Manager
    ) {
        let languages = request.languages ?? []
        func openPrompts() -> [OpenPrompt] {
            broker.machine.prompts.filter {
                manager.manages($0.app.uid) && ($0.app.app.kind != .service || manager.isAdministrator)
            }
        }
        guard call.more else {
            let prompts = openPrompts().map { prompt($0, languages) }
            return PageSender(call).send(MonitorPrompts.Reply(prompts: prompts), continues: false)
        }
        let scope = PromptAgents.Scope(uid: manager.managed, hasServices: manager.isAdministrator)
        agents.add(scope)
        var shown: [OpenPrompt.ID]?
        observers.add(call, about: .prompts, onEnd: { [agents] in agents.remove(scope) }) {
            let open = openPrompts()
            let before = Set(shown ?? [])
            let opened = open.filter { !before.contains($0.id) }
            let closed = shown?.filter { id in !open.contains { $0.id == id } }
            guard shown == nil || !opened.isEmpty || closed?.isEmpty == false else { return nil }
            shown = open.map(\.id)
            return MonitorPrompts.Reply(
                prompts: opened.map { prompt($0, languages) }, closed: closed.map { $0.map(Int.init) })
        }
    }

    func answer(
        _ call: Call<AnswerPrompt>, _ request: AnswerPrompt.Parameters, _ prompt: OpenPrompt
    ) throws(VarlinkError) {
        let written: EventLoopFuture<Void>
        do throws(AnswerRefusal) {
            written = try broker.answer(prompt.id, with: request.answer, accuracy: request.accuracy)
        } catch {
            switch error {
            case .noSuchPrompt: throw .manage(.noSuchPrompt(id: request.id))
            case .notOffered(let answers):
                throw .manage(.answerNotOffered(answers: answers))
            case .tooManyDecisions: throw .manage(.limitExceeded(limit: "decisionsPerUser"))
            case .contradictory: throw .invalidParameter("accuracy")
            }
        }
        call.reply(when: written) { Nothing() }
    }

    private func prompt(_ open: OpenPrompt, _ languages: [String]) -> Prompt {
        var prompt = Prompt(
            id: Int(open.id), key: open.app, question: PromptSubject(open.subject),
            ownWords: open.usageDescription?.isFromApp ?? false, accuracy: open.defaultAccuracy,
            answers: open.offeredAnswers, revision: descriptions.revision(of: open.app),
            since: Timestamp(millisecondsSince1970: open.openedAt * 1000))
        prompt.decision = descriptions.decision(about: open.app)
        prompt.displayName = descriptions.displayName(of: open.app.app)
        prompt.description = open.usageDescription?.text.text(for: languages)
        if case .temporaryFullAccuracy(let purpose) = open.subject { prompt.purpose = purpose }
        prompt.user = peers.userNames[open.app.uid]
        if let pid = peers.apps[open.app]?.requestingProcess {
            prompt.pid = Int(pid)
            prompt.executable = peers.executable(pid).map { ShownText.shortened($0) }
        }
        return prompt
    }
}

extension PromptSubject {
    fileprivate init(_ subject: OpenPrompt.Subject) {
        self =
            switch subject {
            case .whenInUse: .whenInUse
            case .always: .always
            case .alwaysInsteadOfWhenInUse: .alwaysInsteadOfWhenInUse
            case .keepAlways: .keepAlways
            case .temporaryFullAccuracy: .temporaryFullAccuracy
            }
    }
}
