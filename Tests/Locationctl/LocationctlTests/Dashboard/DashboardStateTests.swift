import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The dashboard's reactions to events and keys.
@Suite struct DashboardStateTests {
    private static let samples = DashboardSamples.self

    private func connected(_ authorization: Authorization = DashboardSamples.fullAuthorization) -> DashboardState {
        var state = DashboardState(ownApp: DashboardSamples.key(DashboardSamples.own))
        _ = state.received(.connected, at: 0)
        _ = state.received(.authorization(authorization), at: 0)
        return state
    }

    // MARK: Reading

    @Test func whatIsReadAtFirst() {
        var state = DashboardState()
        #expect(state.received(.connected, at: 0) == [.readLists, .readLog])
        #expect(state.received(.authorization(DashboardSamples.fullAuthorization), at: 0) == [.subscribe])
        #expect(!state.isComplete)
        #expect(DashboardSamples.state().isComplete)
    }

    /// The apps are read after a change that the daemon reports, and at most every two seconds; the log once a minute.
    @Test func changesAreCollected() {
        var state = connected()
        // A reading is in progress: lists that change meanwhile are read afterwards.
        #expect(state.received(.uses([]), at: 0.1).isEmpty)
        #expect(state.received(.sessions([]), at: 0.2).isEmpty)
        #expect(state.received(.log([]), at: 0.5) == [.waitForLog(59.5)])
        #expect(state.received(.lists(DashboardSamples.lists), at: 0.5).contains(.waitForLists(1.5)))
        #expect(state.received(.sessions([]), at: 0.6).isEmpty)
        #expect(state.received(.listsDue, at: 2) == [.readLists])
        #expect(state.received(.lists(DashboardSamples.lists), at: 2.1).isEmpty)
        #expect(state.received(.listsDue, at: 2.1).isEmpty, "nothing has changed")
        #expect(state.received(.logDue, at: 60) == [.readLog])
        #expect(state.received(.log([]), at: 60.1).isEmpty)
        #expect(state.received(.minute, at: 130) == [.readLists, .readLog])
    }

    @Test func receiversAreObservedOnlyWhileOneIsOpen() {
        var state = connected()
        #expect(state.received(.lists(DashboardSamples.lists), at: 1).contains(.followReceivers(true)))
        _ = state.received(.satellites(DashboardSamples.satellites), at: 2)
        #expect(!state.satellites.isEmpty)
        var receivers = DashboardSamples.receivers
        for index in receivers.indices { receivers[index].state = .stopped }
        #expect(state.received(.receivers(receivers), at: 3) == [.followReceivers(false)])
        #expect(state.satellites.isEmpty)
        #expect(state.received(.receivers(receivers), at: 4).isEmpty)
        _ = state.received(.satellites(DashboardSamples.satellites), at: 4)
        #expect(state.satellites.isEmpty, "a late list of a stream that is closed")
    }

    @Test func aLostDaemonLeavesNothingOnTheScreen() {
        var state = DashboardSamples.state()
        _ = state.pressed(.down, at: 400)
        _ = state.pressed(.character("x"), at: 400)
        #expect(state.received(.lost, at: 401).isEmpty)
        #expect(state.apps.isEmpty && state.location == nil && state.view == .overview && !state.isConnected)
        #expect(state.received(.minute, at: 402).isEmpty)
        #expect(state.received(.managementFailed("closed"), at: 402).isEmpty)
        #expect(state.management == .unknown)
        #expect(state.received(.connected, at: 403) == [.readLists, .readLog])
        #expect(state.ownApp == DashboardSamples.key(DashboardSamples.own))
    }

    @Test func aFailureOfTheManagementSocketIsTriedAgainOnceAMinute() {
        var state = connected()
        _ = state.received(.managementFailed("not permitted"), at: 1)
        #expect(state.management == .failed("not permitted"))
        #expect(state.isComplete)
        #expect(state.received(.minute, at: 60).contains(.openManagement))
        _ = state.received(.lists(DashboardSamples.lists), at: 61)
        #expect(state.management == .open)
    }

    // MARK: The position

    @Test(arguments: [AuthorizationStatus.notDetermined, .denied, .restricted])
    func withoutAGrantNothingIsSubscribed(status: AuthorizationStatus) {
        var state = connected(Authorization(status: status, accuracy: .full, servicesEnabled: true))
        #expect(!state.isSubscribed)
        let requests = state.pressed(.character("g"), at: 10)
        #expect(requests == (status == .notDetermined ? [.requestAuthorization] : []))
        #expect(state.received(.authorization(DashboardSamples.fullAuthorization), at: 11).contains(.subscribe))
    }

    @Test func withoutAWishForThePositionNothingIsSubscribed() {
        var state = DashboardState(positionDisplay: .declined)
        _ = state.received(.connected, at: 0)
        #expect(state.received(.authorization(DashboardSamples.fullAuthorization), at: 0).isEmpty)
        #expect(state.pressed(.character("g"), at: 1).isEmpty)
    }

    /// Attack: the grant is withdrawn or reduced, and the screen still shows where the machine was.
    @Test func aPositionIsForgottenWithItsGrant() {
        var revoked = DashboardSamples.state()
        #expect(revoked.location != nil)
        _ = revoked.received(
            .authorization(Authorization(status: .denied, accuracy: .full, servicesEnabled: true)), at: 300)
        #expect(revoked.location == nil)
        var reduced = DashboardSamples.state()
        _ = reduced.received(
            .authorization(Authorization(status: .authorizedWhenInUse, accuracy: .reduced, servicesEnabled: true)),
            at: 300)
        #expect(reduced.location == nil)
    }

    /// The end of a stream and the news of a grant arrive on two connections, in either order.
    @Test func aNewGrantOpensTheSubscriptionAgain() {
        let denied = Authorization(status: .denied, accuracy: .full, servicesEnabled: true)
        var state = connected()
        _ = state.received(.authorization(denied), at: 1)
        #expect(!state.received(.authorization(DashboardSamples.fullAuthorization), at: 2).contains(.subscribe))
        #expect(state.received(.subscriptionEnded(failure: "not authorized"), at: 3) == [.subscribe])
        // A daemon that refuses without a change of the grant is not asked again at once.
        #expect(state.received(.subscriptionEnded(failure: "a limit"), at: 4).isEmpty)
        #expect(state.subscriptionFailure == "a limit")
        #expect(state.received(.minute, at: 60).contains(.subscribe))
    }

    // MARK: Keys

    @Test func theKeysThatEnd() {
        var state = DashboardSamples.state()
        #expect(state.pressed(.character("q"), at: 1) == [.end])
        #expect(state.pressed(.interrupt, at: 1) == [.end])
        #expect(state.pressed(.suspend, at: 1) == [.suspend])
    }

    @Test func nothingIsDecidedWithoutAChoiceAndAYes() {
        var state = DashboardSamples.state()
        for key in "xrayuwn" { #expect(state.pressed(.character(key), at: 1).isEmpty) }
        #expect(state.notice != nil || state.view == .overview)
        _ = state.pressed(.down, at: 1)
        for key in [Key.escape, .tab, .character("n")] {
            #expect(state.pressed(.character("x"), at: 1).isEmpty)
            guard case .question = state.view else {
                Issue.record("no question")
                return
            }
            #expect(state.pressed(.enter, at: 1).isEmpty)
            #expect(state.pressed(key, at: 1).isEmpty)
            #expect(state.view == .overview)
        }
    }

    @Test func revoking() throws {
        var state = DashboardSamples.state()
        #expect(
            state.apps.first?.key == DashboardSamples.key(DashboardSamples.own) || state.apps.first?.isActive == true)
        state.selection = DashboardSamples.key(DashboardSamples.tracker)
        let app = try #require(state.selectedApp)
        _ = state.pressed(.character("x"), at: 1)
        #expect(
            state.pressed(.character("y"), at: 1) == [
                .decide(.revoke(AppScope(app: app.key.app.description, uid: 1000)), app)
            ])
        let denied = DashboardSamples.app(DashboardSamples.tracker, .denied)
        _ = state.received(.decided(app, .success(denied)), at: 2)
        #expect(state.notice?.contains("denied") == true)
        _ = state.received(.decided(app, .failure(Failure(.failed, "the disk is full"))), at: 2)
        #expect(state.notice == "the disk is full")
        _ = state.received(.decided(app, .failure(Failure(.failed, "\u{1B}[2J"))), at: 2)
        #expect(state.notice?.contains("\u{1B}") == false)
    }

    @Test func reducingLeavesTheRestOfAGrant() throws {
        var state = DashboardSamples.state()
        state.selection = DashboardSamples.key(DashboardSamples.tracker)
        let app = try #require(state.selectedApp)
        _ = state.pressed(.character("r"), at: 1)
        #expect(
            state.pressed(.character("y"), at: 1)
                == [.decide(.setAccuracy(DashboardSamples.seen(DashboardSamples.tracker), .reduced), app)])
        state.selection = DashboardSamples.key(DashboardSamples.weather)
        _ = state.pressed(.character("r"), at: 1)
        #expect(state.view == .overview && state.notice?.contains("already") == true)
    }

    @Test func allowing() throws {
        var state = DashboardSamples.state()
        state.selection = DashboardSamples.key(DashboardSamples.game)
        let app = try #require(state.selectedApp)
        let game = DashboardSamples.seen(DashboardSamples.game)
        for (keys, decision) in [
            ("w", UserDecision.grant(game, .whenInUse, .permanent, .full)),
            ("ru", .grant(game, .whenInUse, .untilTomorrow, .reduced)),
            ("rra", .grant(game, .always, .permanent, .full)),
        ] {
            _ = state.pressed(.character("a"), at: 1)
            let requests = keys.flatMap { state.pressed(.character($0), at: 1) }
            #expect(requests == [.decide(decision, app)])
        }
    }

    /// Attack: an app changes its place in the list while a finger is on its way to a key that is meant for another
    /// app.
    @Test func theCursorAndTheQuestionStayAtTheirApp() throws {
        var state = DashboardSamples.state()
        state.selection = DashboardSamples.key(DashboardSamples.tracker)
        let app = try #require(state.selectedApp)
        let index = try #require(state.apps.firstIndex { $0.key == app.key })
        let uses = [DashboardSamples.use(DashboardSamples.tracker, active: true, minutesAgo: 0)]
        _ = state.received(.uses(uses), at: 2)
        #expect(state.apps.firstIndex { $0.key == app.key } != index)
        #expect(state.selectedApp?.key == app.key)
        _ = state.pressed(.character("x"), at: 3)
        _ = state.received(.uses(DashboardSamples.uses), at: 4)
        guard case .decide(.revoke, let decided)? = state.pressed(.character("y"), at: 5).first else {
            Issue.record("no decision")
            return
        }
        #expect(decided.key == app.key)
    }

    @Test func whatNobodyCanChangeIsSaid() {
        var state = DashboardSamples.state()
        let apps = [DashboardSamples.app("app:a", .restricted), DashboardSamples.app("app:b", .notDetermined)]
        _ = state.received(.apps(apps), at: 400)
        state.selection = DashboardSamples.key("app:a")
        for key in "xra" {
            #expect(state.pressed(.character(key), at: 400).isEmpty)
            #expect(state.view == .overview && state.notice != nil)
        }
        state.selection = DashboardSamples.key("app:b")
        _ = state.pressed(.character("x"), at: 400)
        guard case .decide(.deny, _)? = state.pressed(.character("y"), at: 400).first else {
            Issue.record("an app without a decision is denied")
            return
        }
    }

    // MARK: Moving and finding

    private func many() -> DashboardState {
        var state = DashboardSamples.state()
        let apps = (0..<200).map { number in
            let digits = "\(number)"
            let padded = String(repeating: "0", count: 3 - digits.count) + digits
            return DashboardSamples.app("exe:/opt/app\(padded)", .authorizedWhenInUse, name: "App \(padded)")
        }
        for event in [.uses([]), .sessions([]), .log([]), .apps(apps)] as [DashboardEvent] {
            _ = state.received(event, at: 400)
        }
        return state
    }

    @Test(arguments: [
        ([Key.end], 199), ([.end, .home], 0), ([.pageDown], 0), ([.home, .pageDown, .pageDown], 20),
        ([.end, .pageUp], 189), ([.home, .wheelDown], 3), ([.home, .wheelDown, .wheelUp, .wheelUp], 0),
        ([.home, .character("j"), .character("k"), .down], 1),
    ])
    func theKeysThatMoveTheCursor(keys: [Key], index: Int) {
        var state = many()
        for key in keys { #expect(state.pressed(key, at: 400).isEmpty) }
        #expect(state.selection == state.apps[index].key)
    }

    @Test func theFilterShowsTheAppsWithATextInTheirNames() {
        var state = many()
        for key in [Key.character("/"), .character("P"), .character(" "), .character("1"), .character("9")] {
            #expect(state.pressed(key, at: 400).isEmpty)
        }
        #expect(state.shownApps.count == 10 && state.isFilterOpen)
        _ = state.pressed(.down, at: 400)
        #expect(state.selectedApp?.name == "App 190")
        _ = state.pressed(.enter, at: 400)
        #expect(!state.isFilterOpen && state.filter == "P 19" && state.view == .overview)
        _ = state.pressed(.end, at: 400)
        #expect(state.selectedApp?.name == "App 199")
        _ = state.pressed(.escape, at: 400)
        #expect(state.filter.isEmpty && state.selectedApp?.name == "App 199")
    }

    /// Attack: letters that are typed into the filter are answers to something.
    @Test func noKeyOfTheFilterDecides() {
        var state = DashboardSamples.state([.prompts([AgentSamples.prompt()])])
        _ = state.pressed(.down, at: 400)
        _ = state.pressed(.character("/"), at: 400)
        for letter in "xyrapgqw?" { #expect(state.pressed(.character(letter), at: 402).isEmpty) }
        #expect(state.view == .overview && state.filter == "xyrapgqw?")
        for _ in 0..<100 { _ = state.pressed(.character("z"), at: 402) }
        #expect(state.filter.count == DashboardState.maximumFilter)
        #expect(state.pressed(.interrupt, at: 402) == [.end])
    }

    /// The user cannot mean an app that is not on the screen.
    @Test func anAppThatTheFilterHidesIsNotChosen() {
        var state = many()
        _ = state.pressed(.home, at: 400)
        for key in [Key.character("/"), .character("1"), .character("9"), .character("9"), .enter, .character("x")] {
            #expect(state.pressed(key, at: 400).isEmpty)
        }
        #expect(state.view == .overview && state.notice == "Choose an app first, with Up or Down.")
    }

    @Test func backspaceShortensTheFilterAndThenClosesIt() {
        var state = many()
        for key in [Key.character("/"), .character("a"), .backspace] { _ = state.pressed(key, at: 400) }
        #expect(state.filter.isEmpty && state.isFilterOpen)
        _ = state.pressed(.backspace, at: 400)
        #expect(!state.isFilterOpen)
    }

    @Test(arguments: [Key.escape, .tab, .enter, .character("?")]) func helpComesAndGoes(key: Key) {
        var state = DashboardSamples.state()
        _ = state.pressed(.character("?"), at: 400)
        #expect(state.view == .help)
        #expect(state.pressed(.character("x"), at: 400).isEmpty && state.view == .help)
        _ = state.pressed(key, at: 400)
        #expect(state.view == .overview)
    }

    // MARK: Prompts

    @Test func aPromptIsAnsweredInPlace() {
        var state = DashboardSamples.state([.prompts([AgentSamples.prompt()])])
        #expect(state.view == .overview, "nothing jumps under a finger")
        #expect(state.pressed(.character("w"), at: 400).isEmpty)
        _ = state.pressed(.character("p"), at: 400)
        #expect(state.view == .prompts)
        #expect(state.pressed(.character("w"), at: 400.1).isEmpty, "the prompt has just appeared")
        _ = state.pressed(.tab, at: 401)
        #expect(state.view == .overview)
        _ = state.pressed(.character("p"), at: 402)
        #expect(state.pressed(.character("w"), at: 403) == [.answer(id: 7, .whileUsing, .full)])
        _ = state.received(.answered(.whileUsing, .full, failure: nil), at: 404)
        #expect(state.view == .overview)
        #expect(state.notice == "Tracker: Allow while in use")
        // The key that answered is held down.
        _ = state.pressed(.character("w"), at: 400)
        #expect(state.notice == "Tracker: Allow while in use")
        _ = state.pressed(.down, at: 400)
        #expect(state.notice == nil)
    }

    /// Going back is not an answer: three of those silence an app for a minute.
    @Test(arguments: [Key.escape, .tab]) func aPromptIsLeftWithoutAnAnswer(key: Key) {
        var state = DashboardSamples.state([.prompts([AgentSamples.prompt()])])
        _ = state.pressed(.character("p"), at: 400)
        #expect(state.pressed(key, at: 402).isEmpty)
        #expect(state.view == .overview && state.agent.current?.id == 7 && state.agent.sending == nil)
        _ = state.pressed(.character("p"), at: 403)
        #expect(state.pressed(.character("n"), at: 404) == [.answer(id: 7, .dismiss, nil)])
    }

    @Test func qQuitsFromAPromptToo() {
        var state = DashboardSamples.state([.prompts([AgentSamples.prompt()])])
        _ = state.pressed(.character("p"), at: 400)
        #expect(state.pressed(.character("q"), at: 402) == [.end])
    }

    @Test func withoutAPromptThereIsNothingToAnswer() {
        var state = DashboardSamples.state()
        _ = state.pressed(.character("p"), at: 400)
        #expect(state.view == .overview)
        _ = state.received(.prompts([AgentSamples.prompt()]), at: 401)
        _ = state.pressed(.character("p"), at: 402)
        _ = state.received(.prompts([]), at: 403)
        #expect(state.view == .overview)
    }
}
