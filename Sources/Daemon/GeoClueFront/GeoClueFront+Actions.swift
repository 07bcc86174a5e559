internal import AuthorizationPolicy
internal import Bus
internal import EventLoopSupport
internal import LocationCore
internal import LocationModel
internal import NIOCore

/// Performing of the objects' actions.
extension GeoClueFront {
    /// Performs actions in order.
    ///
    /// - Parameter call: The call that the actions reply to and its connection, or `nil` if they come from an event.
    func perform(_ actions: [Action], replyingTo call: (IncomingCall, of: Sender)? = nil) {
        for action in actions {
            switch action {
            case .reply(let values): if let (call, sender) = call { reply(to: call, of: sender, values) }
            case .fail(let error): if let (call, sender) = call { reply(to: call, of: sender, error) }
            case .signal(let signal, let id): if let sender = sendersByID[id] { send(signal, to: sender) }
            case .announce(let signal): bus.send(signal, to: nil)
            case .prompt(let client, let request): prompt(client, request)
            case .cancelPrompt(let client): cancelPrompt(of: client)
            case .subscribe(let client, let accuracy): subscribe(client, accuracy)
            case .unsubscribe(let client): subscriptions.removeValue(forKey: client)?.finish()
            case .queryAgent(let id): if let sender = sendersByID[id] { queryAgent(sender) }
            case .setDesktopLimit(let limit, let agent): core.broker.setDesktopLimit(limit, by: agent)
            }
        }
    }

    // MARK: Prompts

    private func prompt(_ client: ClientID, _ request: PromptRequest) {
        guard let (bus, app) = owner(of: client) else { return }
        app.noteRequest(by: bus.pid)
        // The answer changes the app's authorization, which is watched.
        let id = core.broker.request(
            request.level, reason: request.ownWords, prefersReduced: request.prefersReducedAccuracy, by: app.key
        ) { [unowned self] answer in
            if case .failure = answer { promptDeclined(client) }
        }
        if core.broker.isPending(id) { prompts[client] = (id, app.key) }
    }

    private func promptDeclined(_ client: ClientID) {
        prompts[client] = nil
        perform(tree.modify(client) { $0.promptDeclined() })
    }

    private func cancelPrompt(of client: ClientID) {
        guard let prompt = prompts.removeValue(forKey: client) else { return }
        core.broker.cancel(prompt.id, by: prompt.app)
    }

    // MARK: Subscriptions

    private func subscribe(_ client: ClientID, _ accuracy: DesiredAccuracy) {
        guard let (bus, app) = owner(of: client) else { return }
        subscriptions.removeValue(forKey: client)?.finish()
        let subscriber = ClientSubscriber(client, of: bus, front: self)
        subscriptions[client] = subscriber
        var options = SubscriptionOptions()
        options.desiredAccuracy = accuracy
        // Apps that use GeoClue do not know of pauses, and would mistake a pause for a lost receiver.
        options.pausesAutomatically = false
        core.subscriptions.open(options, of: app, for: subscriber)
    }

    /// Handles the end of a subscription by the core.
    func subscriptionEnded(_ client: ClientID) {
        subscriptions[client] = nil
        guard let (_, app) = owner(of: client) else { return }
        let authorization = core.broker.table.authorization(of: app.key)
        perform(tree.modify(client) { $0.subscriptionEnded(under: authorization) })
    }

    private func owner(of client: ClientID) -> (BusClient, ConnectedApp)? {
        guard let id = tree.clients[client]?.connection, case .admitted(let bus, let app, _)? = sendersByID[id]?.state
        else { return nil }
        return (bus, app)
    }

    // MARK: Agents

    /// The minimum interval between two calls of an agent. Attack: an agent changes its level without end, and each
    /// change affects all apps of its user.
    private static let agentInterval = TimeAmount.milliseconds(100)

    private func queryAgent(_ agent: Sender) {
        if let last = agent.askedAsAgent, loop.now < last + Self.agentInterval {
            loop.assumeIsolated().scheduleTask(deadline: last + Self.agentInterval) { self.askAgent(agent) }
        } else {
            askAgent(agent)
        }
    }

    private func askAgent(_ agent: Sender) {
        guard case .admitted = agent.state else { return }
        // The rule comes first, so that no change is missed.
        if agent.askedAsAgent == nil { addMatch(agentRule(agent)) }
        agent.askedAsAgent = loop.now
        bus.call(
            "Get", of: InterfaceDefinition.properties.name, at: ObjectPath.agent, on: agent.name,
            [.string(InterfaceDefinition.agentName), .string("MaxAccuracyLevel")], timeout: nil
        ) { [unowned self] reply in
            var level: UInt32?
            if case .message(let message) = reply {
                level = message.readVariant { $0 == "u" ? message.readUInt32() : nil }
            }
            perform(tree.agentAnswered(agent.id, level))
        }
    }
}
