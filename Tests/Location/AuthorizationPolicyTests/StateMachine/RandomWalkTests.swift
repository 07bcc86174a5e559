import AuthorizationPolicy
import LocationModel
import TestSupport
import Testing

/// Rules that hold after any sequence of events.
@Suite struct RandomWalkTests {
    static let apps = [AppKey.maps, .mapsOfAnother, .tool]

    /// A scene, and the state that an observer can derive from its actions alone.
    struct Walk {
        var scene: Scene
        var random: SeededRandom
        /// The authorization that each app was last notified of.
        var told: [AppKey: Authorization] = [:]
        var open: [AppKey: OpenPrompt] = [:]
        var outstanding: [UInt64: AppKey] = [:]
        /// The apps to which the user has granted access and not denied it since.
        var saidYes: Set<AppKey> = []
        var restrictions: Set<Restriction> = []
        var woken: Int64?
        var connected: Set<AppKey> = []

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            scene = Scene(manifests: [.maps: .ofMapsReduced], connected: [])
            scene.writesAtOnce = false
        }

        mutating func step() throws {
            scene.last = []
            let app = apps.randomElement(using: &random)!
            switch Int.random(in: 0..<20, using: &random) {
            case 0...3: request(RequestedLevel.allCases.randomElement(using: &random)!, app)
            case 4:
                let presence: Presence = Bool.random(using: &random) ? .inUse : .background
                note(scene.requestFull("navigation", presence, by: app), app)
            case 5:
                if let (request, app) = outstanding.min(by: { $0.key < $1.key }) {
                    scene.cancel(request, by: app)
                    outstanding[request] = nil
                }
            case 6: connect(app)
            case 7: disconnect(app)
            case 8, 9: scene.advance(by: [0, 1, 5, 9, 10, 60, 3600, 30_000].randomElement(using: &random)!)
            case 10: if Int.random(in: 0..<20, using: &random) == 0 { scene.advance(by: -5000) }
            case 11, 12, 13: try answer(app)
            case 14: try decide(app)
            case 15:
                scene.setServices(
                    Int.random(in: 0..<4, using: &random) > 0, for: [nil, 1000].randomElement(using: &random)!)
            case 16:
                let rules: [Set<Restriction>] = [[], [], [], [Restriction(app: .maps)], [.everything]]
                restrictions = rules.randomElement(using: &random)!
                scene.restrict(restrictions)
            case 17: if scene.delivery(.background, to: app) == .promptAgain { scene.promptAgain(app) }
            default:
                if !scene.writes.isEmpty {
                    scene.finishWrite(successfully: Int.random(in: 0..<8, using: &random) > 0)
                }
            }
            follow()
        }

        private mutating func request(_ level: RequestedLevel, _ app: AppKey) {
            note(scene.request(level, reason: "own words", by: app), app)
        }

        private mutating func note(_ request: UInt64, _ app: AppKey) { outstanding[request] = app }

        private mutating func connect(_ app: AppKey) {
            guard connected.insert(app).inserted else { return }
            scene.connect(app)
            told[app] = scene.machine.table.authorization(of: app)
        }

        private mutating func disconnect(_ app: AppKey) {
            guard connected.remove(app) != nil else { return }
            scene.disconnect(app)
            outstanding = outstanding.filter { $0.value != app }
        }

        private mutating func answer(_ app: AppKey) throws {
            guard let prompt = scene.prompt(app) else { return }
            let answer = prompt.offeredAnswers.randomElement(using: &random)!
            let accuracies: [AccuracyAuthorization?] = [nil, .full, .reduced]
            let accuracy = accuracies.randomElement(using: &random)!
            do throws(AnswerRefusal) {
                try scene.answer(answer, accuracy, about: app)
            } catch {
                #expect(error == .contradictory)
                return
            }
            if case .temporaryFullAccuracy = prompt.subject { return }
            if answer == .deny { saidYes.remove(app) } else if answer != .dismiss { saidYes.insert(app) }
        }

        private mutating func decide(_ app: AppKey) throws {
            let lifetimes: [Decision.Lifetime] = [.permanent, .once, .until(secondsSince1970: scene.now + 100)]
            let granted = Decision(
                level: [.whenInUse, .always].randomElement(using: &random)!,
                accuracy: AccuracyAuthorization.allCases.randomElement(using: &random)!,
                lifetime: lifetimes.randomElement(using: &random)!)
            let decision = [granted, .denied, nil].randomElement(using: &random)!
            do throws(DecisionRefusal) {
                try scene.decide(decision, about: app)
                if decision?.grants == true { saidYes.insert(app) } else { saidYes.remove(app) }
            } catch {
                #expect(scene.status(app) == .restricted && decision?.grants == true)
            }
        }

        /// Derives the state from the actions of the last step, and compares it with the state machine's.
        private mutating func follow() {
            for action in scene.last {
                switch action {
                case .open(let prompt):
                    #expect(open.updateValue(prompt, forKey: prompt.app) == nil, "two prompts about an app")
                case .close(let prompt): #expect(open.removeValue(forKey: prompt.app)?.id == prompt.id)
                case .changed(let app): told[app] = scene.machine.table.authorization(of: app)
                case .reply(let request, _), .refuse(let request, _):
                    #expect(outstanding.removeValue(forKey: request) != nil, "answered twice, or after the end")
                case .wake(let moment): woken = moment
                case .write: break
                }
            }
            let machine = scene.machine
            #expect(machine.prompts == open.values.sorted { $0.id < $1.id })
            #expect(machine.deadline == woken)
            #expect(machine.deadline.map { $0 > scene.now } ?? true)
            for app in apps { look(at: app) }
            for app in Set(outstanding.values) {
                #expect(open[app] != nil || isBeingWritten(app), "a request that nobody will answer")
            }
        }

        private func isBeingWritten(_ app: AppKey) -> Bool {
            scene.writes.contains { if case .decision(_, app) = $0.change { true } else { false } }
        }

        private mutating func look(at app: AppKey) {
            let table = scene.machine.table
            let authorization = table.authorization(of: app)
            let decision = table.decision(about: app)
            if connected.contains(app) { #expect(told[app] == authorization) }

            // Restricted takes precedence over everything, services off over the rest. No app is authorized without a
            // grant.
            let isRestricted = restrictions.contains(.everything) || (!restrictions.isEmpty && app.app == .maps)
            #expect((authorization.status == .restricted) == isRestricted)
            if !authorization.servicesEnabled { #expect(!authorization.status.isAuthorized) }
            if authorization.status.isAuthorized { #expect(saidYes.contains(app)) }
            if decision == nil, !isBeingWritten(app) { saidYes.remove(app) }

            // The decision in effect never grants more than the one on the disk.
            if let decision, decision.grants {
                #expect(decision.level <= scene.disk[app]?.level ?? .denied)
                #expect(decision.accuracy == .reduced || scene.disk[app]?.accuracy == .full)
            }

            // An open prompt fits the authorization in effect. So there is never a prompt about an app that was
            // denied.
            switch open[app]?.subject {
            case nil: break
            case .whenInUse, .always: #expect(authorization.status == .notDetermined)
            case .alwaysInsteadOfWhenInUse: #expect(authorization.status == .authorizedWhenInUse)
            case .keepAlways: #expect(table.isProvisional(app))
            case .temporaryFullAccuracy:
                #expect(authorization.status.isAuthorized && authorization.accuracy == .reduced)
            }
            // Deliveries follow from the authorization.
            for presence in Presence.allCases {
                let delivery = scene.delivery(presence, to: app)
                #expect((delivery == .refuse) == !authorization.status.isAuthorized)
                if presence == .background, delivery.isDelivered { #expect(decision?.level == .always) }
            }
        }

        /// Denies every app and completes every write. No request may be left unanswered.
        mutating func finish() throws {
            scene.restrict([])
            for app in apps { try scene.decide(.denied, about: app) }
            #expect(scene.machine.prompts.isEmpty)
            while !scene.writes.isEmpty { scene.finishWrite() }
            for request in outstanding.keys { #expect(scene.replies[request] != nil) }
            for app in apps { #expect(!scene.status(app).isAuthorized && scene.disk[app] == .denied) }
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func whatHoldsInAnyOrder(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 1...600 { try walk.step() }
        try walk.finish()
    }

    /// A user who never answers sees at most three prompts a minute, whatever the app does.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func noMoreThanThreePromptsAMinuteByDismissals(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let decisions = [nil, Decision(level: .whenInUse, accuracy: .reduced), Decision(level: .provisionalAlways)]
        var scene = Scene(decisions.randomElement(using: &random)!.map { [.maps: $0] } ?? [:])
        var isConnected = true
        for _ in 1...2000 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: scene.request(RequestedLevel.allCases.randomElement(using: &random)!)
            case 1: scene.requestFull(["navigation", "rescue"].randomElement(using: &random)!)
            case 2: scene.promptAgain()
            case 3, 4: if scene.prompt() != nil { try scene.answer(.dismiss) }
            case 5: scene.advance(by: Int64.random(in: 0...12, using: &random))
            case 6:
                if case .temporaryFullAccuracy = scene.prompt()?.subject { try scene.answer(.deny) }
            case 7:
                if isConnected { scene.disconnect() } else { scene.connect() }
                isConnected.toggle()
            default: scene.cancel(UInt64.random(in: 1...200, using: &random))
            }
        }
        let moments = scene.opened.map(\.openedAt)
        #expect(moments.count > 10)
        for (first, fourth) in zip(moments, moments.dropFirst(3)) {
            #expect(fourth - first >= 60, "four prompts from \(first) to \(fourth)")
        }
    }
}
