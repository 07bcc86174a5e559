internal import AuthorizationPolicy
internal import Linux
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The calls about an app's authorization, and its requests for more.
struct AuthorizationCalls {
    let broker: AuthorizationBroker
    let agents: PromptAgents
    let changes: Changes
    let entitlements: EntitlementTracker

    func get(_ call: Call<GetAuthorization>, _: Nothing, _ app: ConnectedApp) {
        let authorization = broker.table.authorization(of: app.key)
        guard call.more else { return call.reply(GetAuthorization.Reply(authorization: authorization)) }
        call.send(GetAuthorization.Reply(authorization: authorization))
        let watcher = AuthorizationWatcher(authorization) { call.send(GetAuthorization.Reply(authorization: $0)) }
        app.add(watcher)
        call.whenEnded { app.remove(watcher) }
    }

    func request(_ call: Call<RequestAuthorization>, _ request: RequestAuthorization.Parameters, _ app: ConnectedApp) {
        app.noteRequest(by: call.connection.peer.pid)
        let id = broker.request(request.level, reason: request.reason, by: app.key) { answer(call, $0) }
        trackPending(id, call, app)
    }

    func requestTemporaryFullAccuracy(
        _ call: Call<RequestTemporaryFullAccuracy>, _ request: RequestTemporaryFullAccuracy.Parameters,
        _ app: ConnectedApp
    ) {
        app.noteRequest(by: call.connection.peer.pid)
        let id = broker.requestTemporaryFullAccuracy(
            purposeKey: request.purposeKey, presence: entitlements.presence(of: app, call.connection), by: app.key
        ) { answer(call, $0) }
        trackPending(id, call, app)
    }

    func setBackground(_ call: Call<SetBackground>, _ request: SetBackground.Parameters, _ app: ConnectedApp) {
        if app.setInBackground(request.background, call.connection) { entitlements.presenceChanged(of: app) }
        call.reply(Nothing())
    }

    /// Reports the current authorization while the request is pending. Reports it again when the first agent that shows
    /// the prompt connects and when the last one disconnects, so that an app can say that its prompt cannot be
    /// answered. Cancels the request if the call ends.
    private func trackPending<Method>(
        _ id: AuthorizationBroker.RequestID, _ call: Call<Method>, _ app: ConnectedApp
    ) where Method.Reply == RequestAuthorization.Reply {
        guard broker.isPending(id) else { return }
        var observation: Changes.Observation?
        if call.more {
            var hasAgent = agents.show(promptsAbout: app.key)
            func report() {
                let authorization = broker.table.authorization(of: app.key)
                call.send(Method.Reply(authorization: authorization, hasAgent: hasAgent))
            }
            report()
            observation = changes.observe([.prompts]) { [broker, agents] in
                guard broker.isPending(id), agents.show(promptsAbout: app.key) != hasAgent else { return }
                hasAgent.toggle()
                report()
            }
        }
        call.whenEnded { [broker, key = app.key] in
            observation?.end()
            broker.cancel(id, by: key)
        }
    }

    /// Answers a request for authorization.
    private func answer<Method: LocationMethod>(
        _ call: Call<Method>, _ answer: AuthorizationBroker.RequestAnswer
    ) where Method.Reply == RequestAuthorization.Reply {
        switch answer {
        case .success(let authorization): call.reply(Method.Reply(authorization: authorization))
        case .failure(.usageDescriptionMissing): call.fail(.usageDescriptionMissing)
        case .failure(.promptDeclined): call.fail(.promptDeclined)
        }
    }
}
