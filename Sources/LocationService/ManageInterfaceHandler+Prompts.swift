internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// Questions, and their answers.
extension ManageInterfaceHandler {
    /// The handlers by the method's name.
    var promptHandlers: [String: VarlinkService.Handler] {
        [
            MonitorPrompts.name: { (call) throws(VarlinkError) in try self.monitorPrompts(call) },
            AnswerPrompt.name: { (call) throws(VarlinkError) in try self.answerPrompt(call) },
        ]
    }

    private func monitorPrompts(_ call: Call) throws(VarlinkError) {
        let request = try call.parameters(as: MonitorPrompts.Parameters.self)
        let uid = try user(request.uid, managedBy: call)
        let all = request.uid == nil && isAdministrator(call)
        let languages = request.languages ?? []
        let isAdministrator = isAdministrator(call)
        func questions() -> [Question] {
            engine.broker.machine.questions.filter {
                (all || $0.app.uid == uid) && ($0.app.app.kind != .service || isAdministrator)
            }
        }
        guard call.more else {
            return reply(MonitorPrompts.Reply(prompts: questions().map { prompt($0, languages) }), to: call)
        }
        var shown: [Question.ID]?
        observers.add(call, about: .prompts) { [unowned self] sender in
            let open = questions()
            let before = Set(shown ?? [])
            let opened = open.filter { !before.contains($0.id) }
            let closed = shown?.filter { id in !open.contains { $0.id == id } }
            guard shown == nil || !opened.isEmpty || closed?.isEmpty == false else { return sender.isDone() }
            shown = open.map(\.id)
            sender.send(
                MonitorPrompts.Reply(
                    prompts: opened.map { prompt($0, languages) }, closed: closed.map { $0.map(Int.init) }),
                continues: true)
        }
    }

    private func answerPrompt(_ call: Call) throws(VarlinkError) {
        let request = try call.parameters(as: AnswerPrompt.Parameters.self)
        guard let id = UInt64(exactly: request.id),
            let question = engine.broker.machine.questions.first(where: { $0.id == id }),
            // Whose question it is is nobody else's business: to others there is none.
            question.app.uid == call.connection.peer.uid || isAdministrator(call)
        else { throw .manage(.noSuchPrompt(id: request.id)) }
        // A system service serves the whole machine: one user's word is not enough for it.
        if question.app.app.kind == .service, !isAdministrator(call) { throw .permissionDenied }
        guard let answer = Answer(rawValue: request.answer.rawValue) else { throw .invalidParameter("answer") }
        let written: EventLoopFuture<Void>
        do throws(AnswerRefusal) {
            written = try engine.broker.answer(
                id, with: answer, accuracy: request.accuracy, nextMidnight: localMidnight())
        } catch {
            switch error {
            case .noSuchQuestion: throw .manage(.noSuchPrompt(id: request.id))
            case .notOffered(let answers):
                throw .manage(.answerNotOffered(answers: answers.compactMap { PromptAnswer(rawValue: $0.rawValue) }))
            case .tooManyDecisions: throw .manage(.limitExceeded(limit: "decisionsPerUser"))
            case .contradictory: throw .invalidParameter("accuracy")
            }
        }
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success: call.reply(Nothing())
            case .failure(let error): call.fail(.manage(.storeFailed(reason: "\(error)")))
            }
        }
    }

    private func prompt(_ question: Question, _ languages: [String]) -> Prompt {
        var prompt = Prompt(
            id: Int(question.id), key: question.app, question: PromptQuestion(question.subject),
            ownWords: question.usageDescription?.isOwnWords ?? false, accuracy: question.defaultAccuracy,
            answers: question.offeredAnswers.compactMap { PromptAnswer(rawValue: $0.rawValue) },
            since: Timestamp(millisecondsSince1970: question.askedAt * 1000))
        prompt.displayName = displayName(of: question.app.app)
        prompt.description = question.usageDescription?.text.text(for: languages)
        if case .temporaryFullAccuracy(let purpose) = question.subject { prompt.purpose = purpose }
        prompt.user = engine.peers.userNames[question.app.uid]
        if let pid = engine.peers.apps[question.app]?.asker {
            prompt.pid = Int(pid)
            prompt.executable = engine.peers.executable(pid).map { ShownText.shortened($0) }
        }
        return prompt
    }
}

extension PromptQuestion {
    fileprivate init(_ subject: Question.Subject) {
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
