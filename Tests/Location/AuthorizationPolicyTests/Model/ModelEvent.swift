import LocationModel

@testable import AuthorizationPolicy

/// An event in the life of a modelled daemon. Apps are named by their index.
enum ModelEvent: Sendable, Hashable {
    /// The subject of an app's request.
    enum Subject: Sendable, Hashable {
        case level(RequestedLevel), fullAccuracy

        static let all: [Subject] = [.level(.whenInUse), .level(.always), .fullAccuracy]
    }

    /// A step of the wall clock. All timeouts are multiples of ten seconds, so that no other steps are needed.
    enum ClockStep: String, Sendable, CaseIterable {
        case tenSeconds = "10 s pass"
        case aMinute = "a minute passes"
        case toMidnight = "it becomes midnight"
        case threeDaysBack = "the clock is set back by three days"

        func time(after now: Int64) -> Int64 {
            switch self {
            case .tenSeconds: now + 10
            case .aMinute: now + 60
            case .toMidnight: ModelledDaemon.midnight(after: now)
            case .threeDaysBack: now - 3 * ModelledDaemon.secondsPerDay
            }
        }
    }

    // Apps
    case connect(Int, ModelledDaemon.Processes)
    case disconnect(Int)
    case request(Int, Subject)
    case cancel(Int, request: Int)
    case goToBackground(Int)
    case receiveInBackground(Int)
    // Users. A late event comes a minute after the previous one, before the broker's timer.
    case answer(Int, PromptAnswer, AccuracyAuthorization?, isLate: Bool)
    case decide(Int, Decision?, isLate: Bool)
    case decideUntilTomorrow(Int)
    case setAccuracy(Int, AccuracyAuthorization, isLate: Bool)
    case keepWhileInUse(Int, isLate: Bool)
    case revoke(Int, isLate: Bool)
    // All apps
    case setServices(Bool, UInt32?)
    case restrict(Bool)
    case finishWrite(successfully: Bool)
    case crash(committing: Int, ClockStep?, reboots: Bool)
    case clock(ClockStep)

    /// The index of the app that the event is about, or `nil` if it is about all apps.
    var app: Int? {
        switch self {
        case .connect(let app, _), .disconnect(let app), .request(let app, _), .cancel(let app, _),
            .goToBackground(let app), .receiveInBackground(let app), .answer(let app, _, _, _),
            .decide(let app, _, _), .decideUntilTomorrow(let app), .setAccuracy(let app, _, _),
            .keepWhileInUse(let app, _), .revoke(let app, _):
            app
        case .setServices, .restrict, .finishWrite, .crash, .clock: nil
        }
    }

    /// A Boolean value indicating whether a user decides about the app.
    var isDecision: Bool {
        switch self {
        case .answer(_, let answer, _, _): answer != .dismiss
        case .decide, .decideUntilTomorrow, .setAccuracy, .keepWhileInUse, .revoke: true
        default: false
        }
    }

    /// A Boolean value indicating whether time passes, or is set, before the event.
    var isLate: Bool {
        switch self {
        case .answer(_, _, _, let isLate), .decide(_, _, let isLate), .setAccuracy(_, _, let isLate),
            .keepWhileInUse(_, let isLate), .revoke(_, let isLate):
            isLate
        default: false
        }
    }
}

// MARK: - Possible events

extension ModelledDaemon {
    /// The maximum number of requests of an app that wait at the same time.
    private static let maximumRequests = 2
    /// The number of pending writes that users wait for, before they decide again.
    private static let maximumWrites = 2

    private static let decisions: [Decision?] = [
        nil, .denied, Decision(level: .whenInUse), Decision(level: .always),
        Decision(level: .whenInUse, accuracy: .reduced),
    ]
    private static let furtherDecisions: [Decision?] = [
        Decision(level: .whenInUse, lifetime: .once), Decision(level: .always, accuracy: .reduced),
    ]

    /// The events that can happen now.
    var events: [ModelEvent] {
        var events: [ModelEvent] = []
        events.reserveCapacity(160)
        for index in apps.indices {
            addEvents(ofApp: index, to: &events)
            if writes.count < Self.maximumWrites {
                addAnswers(about: index, to: &events)
                addDecisions(about: index, to: &events)
            }
        }
        if scope.isWide, writes.count < Self.maximumWrites {
            for uid in Set(apps.map(\.key.uid)).sorted() {
                events += [.setServices(false, uid), .setServices(true, uid)]
            }
            events += [.setServices(false, nil), .setServices(true, nil), .restrict(!isRestricted)]
        }
        if !writes.isEmpty { events += [.finishWrite(successfully: true), .finishWrite(successfully: false)] }
        for count in 0...writes.count { events.append(.crash(committing: count, nil, reboots: false)) }
        events += [
            .crash(committing: 0, .toMidnight, reboots: true), .crash(committing: 0, .threeDaysBack, reboots: false),
        ]
        return events + ModelEvent.ClockStep.allCases.map { ModelEvent.clock($0) }
    }

    private func addEvents(ofApp index: Int, to events: inout [ModelEvent]) {
        let app = apps[index]
        for process in Processes.each where !app.connected.contains(process) {
            events.append(.connect(index, process))
        }
        if machine.table.delivery(to: app.key, presence: .background, terms: .single) == .promptAgain {
            events.append(.receiveInBackground(index))
        }
        if machine.table.hasTemporaryFullAccuracy(app.key) { events.append(.goToBackground(index)) }
        guard !app.connected.isEmpty else { return }
        events.append(.disconnect(index))
        events += app.requests.indices.map { ModelEvent.cancel(index, request: $0) }
        if app.requests.count < Self.maximumRequests {
            events += ModelEvent.Subject.all.map { ModelEvent.request(index, $0) }
        }
    }

    private func addAnswers(about index: Int, to events: inout [ModelEvent]) {
        guard let prompt = machine.prompt(about: apps[index].key) else { return }
        for answer in prompt.offeredAnswers {
            events.append(.answer(index, answer, nil, isLate: false))
            guard scope.isWide else { continue }
            events.append(.answer(index, answer, nil, isLate: true))
            guard answer != .deny, answer != .dismiss else { continue }
            events += [.answer(index, answer, .full, isLate: false), .answer(index, answer, .reduced, isLate: false)]
        }
    }

    private func addDecisions(about index: Int, to events: inout [ModelEvent]) {
        for isLate in scope.isWide ? [false, true] : [false] {
            events += Self.decisions.map { ModelEvent.decide(index, $0, isLate: isLate) }
            if scope.isWide {
                events += Self.furtherDecisions.map { ModelEvent.decide(index, $0, isLate: isLate) }
                events.append(.decideUntilTomorrow(index))
            }
            events += [
                .setAccuracy(index, .full, isLate: isLate), .setAccuracy(index, .reduced, isLate: isLate),
                .keepWhileInUse(index, isLate: isLate), .revoke(index, isLate: isLate),
            ]
        }
    }
}

// MARK: - Carrying out an event

extension ModelledDaemon {
    /// Carries out an event. Returns `false` if the state machine rejects it.
    mutating func apply(_ event: ModelEvent) -> Bool {
        last = []
        if event.isLate { now = ModelEvent.ClockStep.aMinute.time(after: now) }
        do {
            switch event {
            case .answer, .decide, .decideUntilTomorrow, .setAccuracy, .keepWhileInUse, .revoke:
                perform(try decisionActions(for: event))
            case .connect(let index, let process): connect(process, of: index)
            case .disconnect(let index): disconnect(index)
            case .request(let index, let subject): request(subject, by: index)
            case .cancel(let index, let request): cancel(request, of: index)
            case .goToBackground(let index): perform(machine.wentToBackground(apps[index].key, at: now))
            case .receiveInBackground(let index): perform(machine.promptAgain(about: apps[index].key, at: now))
            case .setServices(let isOn, let uid): perform(machine.setServicesEnabled(isOn, for: uid, at: now))
            case .restrict(let isRestricted):
                self.isRestricted = isRestricted
                perform(machine.use(restrictions: restrictions, manifests: scope.manifests, at: now))
            case .finishWrite(let isSuccessful): finishWrite(successfully: isSuccessful)
            case .crash(let count, let step, let reboots): crash(committing: count, after: step, reboots: reboots)
            case .clock(let step):
                now = step.time(after: now)
                perform(machine.advance(to: now))
                // `AuthorizationBroker.clockChanged` sets the timer again in any case.
                wake = machine.deadline
            }
            return true
        } catch {
            return false
        }
    }

    private mutating func decisionActions(for event: ModelEvent) throws -> [Action] {
        switch event {
        case .answer(let index, let answer, let accuracy, _):
            let id = machine.prompt(about: apps[index].key)?.id ?? 0
            return try machine.answer(id, with: answer, accuracy: accuracy, at: now)
        case .decide(let index, let decision, _): return try machine.decide(decision, about: apps[index].key, at: now)
        case .decideUntilTomorrow(let index):
            let decision = Decision(level: .whenInUse, lifetime: machine.untilTomorrow(at: now))
            return try machine.decide(decision, about: apps[index].key, at: now)
        case .setAccuracy(let index, let accuracy, _):
            let key = apps[index].key
            return try machine.setAccuracy(accuracy, of: key, revision: machine.table.revision(of: key), at: now)
        case .keepWhileInUse(let index, _):
            let key = apps[index].key
            return try machine.keepWhileInUse(key, revision: machine.table.revision(of: key), at: now)
        case .revoke(let index, _): return try machine.revoke(apps[index].key, at: now)
        default: return []
        }
    }
}
