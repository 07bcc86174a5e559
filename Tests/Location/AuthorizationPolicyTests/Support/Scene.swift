import AuthorizationPolicy
import LocationModel

typealias Action = AuthorizationStateMachine.Action
typealias Write = AuthorizationStateMachine.Write

/// The surroundings of the state machine in the daemon: a clock, a disk, and the replies that apps received.
struct Scene {
    static let start: Int64 = 1_800_000_000
    static let midnight = start + 20_000

    /// The reply to a request.
    enum Reply: Equatable {
        case authorization(Authorization)
        case refusal(RequestRefusal)
    }

    var machine: AuthorizationStateMachine
    var now = Scene.start
    /// A Boolean value indicating whether writes succeed at once. If not, they are collected in `writes`.
    var writesAtOnce = true
    var writes: [Write] = []
    /// The decisions on the disk.
    var disk: [AppKey: Decision] = [:]
    var replies: [UInt64: Reply] = [:]
    /// All prompts so far, including closed ones.
    var opened: [OpenPrompt] = []
    /// The actions that the last event caused.
    var last: [Action] = []
    private var nextRequest: UInt64 = 1

    /// - Parameter onceHolders: The processes that had a grant for "once" before a restart. With `nil`, the processes
    ///   of the apps in `connected` had one, and have returned.
    init(
        _ decisions: [AppKey: Decision] = [:], manifests: [AppIdentity: AppManifest] = [.maps: .ofMaps],
        onceHolders: [AppKey: Set<ProcessStart>]? = nil, connected: [AppKey] = [.maps], at start: Int64 = Scene.start,
        midnight: Int64 = Scene.midnight
    ) {
        now = start
        let process = ProcessStart(pid: 4711, ticks: 1)
        let holders = Dictionary(uniqueKeysWithValues: connected.map { ($0, Set([process])) })
        machine = AuthorizationStateMachine(
            table: AuthorizationTable(decisions: decisions), manifests: manifests, onceHolders: onceHolders ?? holders,
            at: start, nextMidnight: { _ in midnight })
        disk = decisions
        for app in connected {
            run(machine.connected(app, at: now))
            if onceHolders == nil { run(machine.returned(app, as: process, at: now)) }
        }
    }

    func status(_ app: AppKey = .maps) -> AuthorizationStatus { machine.table.authorization(of: app).status }
    func accuracy(_ app: AppKey = .maps) -> AccuracyAuthorization { machine.table.authorization(of: app).accuracy }
    func prompt(_ app: AppKey = .maps) -> OpenPrompt? { machine.prompt(about: app) }
    func delivery(_ presence: Presence, _ terms: DeliveryTerms = .single, to app: AppKey = .maps) -> Delivery {
        machine.table.delivery(to: app, presence: presence, terms: terms)
    }

    mutating func run(_ actions: [Action]) {
        last = actions
        var all = actions
        var next = 0
        while next < all.count {
            switch all[next] {
            case .write(let write) where writesAtOnce: all += complete(write)
            case .write(let write): writes.append(write)
            case .open(let prompt): opened.append(prompt)
            case .reply(let request, let authorization): replies[request] = .authorization(authorization)
            case .refuse(let request, let refusal): replies[request] = .refusal(refusal)
            case .close, .changed, .wake: break
            }
            next += 1
        }
        last = all
    }

    private mutating func complete(_ write: Write) -> [Action] {
        if case .decision(let decision, let app) = write.change { disk[app] = decision }
        return machine.written(write, at: now)
    }

    /// Completes the oldest pending write.
    mutating func finishWrite(successfully: Bool = true) {
        let write = writes.removeFirst()
        run(successfully ? complete(write) : machine.writeFailed(write, at: now))
    }

    mutating func advance(by seconds: Int64) {
        now += seconds
        run(machine.advance(to: now))
    }

    @discardableResult
    mutating func request(_ level: RequestedLevel, reason: String? = nil, by app: AppKey = .maps) -> UInt64 {
        defer { nextRequest += 1 }
        run(machine.request(level, reason: reason, id: nextRequest, by: app, at: now))
        return nextRequest
    }

    @discardableResult
    mutating func requestFull(
        _ purposeKey: String = "navigation", _ presence: Presence = .inUse, by app: AppKey = .maps
    ) -> UInt64 {
        defer { nextRequest += 1 }
        run(
            machine.requestTemporaryFullAccuracy(
                purposeKey: purposeKey, presence: presence, id: nextRequest, by: app, at: now))
        return nextRequest
    }

    mutating func cancel(_ request: UInt64, by app: AppKey = .maps) {
        run(machine.cancel(request, by: app, at: now))
    }

    /// Answers the open prompt about the app.
    mutating func answer(
        _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization? = nil, about app: AppKey = .maps
    ) throws(AnswerRefusal) {
        let id = machine.prompt(about: app)?.id ?? 0
        run(try machine.answer(id, with: answer, accuracy: accuracy, at: now))
    }

    mutating func decide(_ decision: Decision?, about app: AppKey = .maps) throws(DecisionRefusal) {
        run(try machine.decide(decision, about: app, at: now))
    }

    /// Makes one of the changes that need the revision that the user has seen: with `nil`, the present one.
    mutating func setAccuracy(
        _ accuracy: AccuracyAuthorization, seeing revision: UInt64? = nil, of app: AppKey = .maps
    ) throws(DecisionRefusal) {
        let revision = revision ?? machine.table.revision(of: app)
        run(try machine.setAccuracy(accuracy, of: app, revision: revision, at: now))
    }
    mutating func keepWhileInUse(seeing revision: UInt64? = nil, of app: AppKey = .maps) throws(DecisionRefusal) {
        let revision = revision ?? machine.table.revision(of: app)
        run(try machine.keepWhileInUse(app, revision: revision, at: now))
    }
    mutating func revoke(seeing revision: UInt64? = nil, of app: AppKey = .maps) throws(DecisionRefusal) {
        run(try machine.revoke(app, revision: revision, at: now))
    }
    func revision(of app: AppKey = .maps) -> UInt64 { machine.table.revision(of: app) }

    mutating func connect(_ app: AppKey = .maps) { run(machine.connected(app, at: now)) }
    mutating func disconnect(_ app: AppKey = .maps) { run(machine.disconnected(app, at: now)) }
    mutating func promptAgain(_ app: AppKey = .maps) { run(machine.promptAgain(about: app, at: now)) }
    mutating func setServices(_ enabled: Bool, for uid: UInt32? = nil) {
        run(machine.setServicesEnabled(enabled, for: uid, at: now))
    }
    mutating func restrict(_ restrictions: Set<Restriction>) {
        run(machine.use(restrictions: restrictions, manifests: machine.manifests, at: now))
    }

    /// The reply to the newest request, or `nil` if it is still waiting.
    var lastReply: Reply? { replies[nextRequest - 1] }

    /// Returns the status in the reply to a request, or `nil` if the request was refused or is still waiting.
    func reply(to request: UInt64) -> AuthorizationStatus? {
        if case .authorization(let authorization) = replies[request] { authorization.status } else { nil }
    }
}

extension AppIdentity {
    static let maps = AppIdentity("app:org.gnome.Maps")!
}

extension AppKey {
    static let maps = AppKey(uid: 1000, app: .maps)
    static let mapsOfAnother = AppKey(uid: 1001, app: .maps)
    /// An app without a manifest.
    static let tool = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/tool")!)
}

extension AppManifest {
    static let ofMaps = try! AppManifest(
        displayName: "Maps", whenInUse: LocalizedText("Shows where you are."), always: LocalizedText("Records hikes."),
        temporaryFullAccuracy: [
            "navigation": LocalizedText("Tells you where to turn."), "rescue": LocalizedText("Tells the rescuers."),
        ])

    static let ofMapsReduced = try! AppManifest(
        whenInUse: LocalizedText("Shows where you are."), always: LocalizedText("Records hikes."),
        temporaryFullAccuracy: ["navigation": LocalizedText("Tells you where to turn.")], defaultAccuracy: .reduced)
}
