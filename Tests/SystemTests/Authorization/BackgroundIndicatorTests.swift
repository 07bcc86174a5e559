import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The indicator's entry for a stream that continues in the background.
@Suite(.timeLimit(.minutes(15))) struct BackgroundIndicatorTests {
    /// Attack: an app with a grant for while in use omits `showsBackgroundIndicator`, so that the user does not notice
    /// that its stream continues. The option only has an effect for an app with an always grant, and it hides no use.
    @Test(arguments: [
        (RequestedLevel.whenInUse, Bool?.none, true), (.whenInUse, false, true), (.whenInUse, true, true),
        (.always, nil, false), (.always, false, false), (.always, true, true),
    ])
    func anAppInTheBackgroundIsActive(level: RequestedLevel, option: Bool?, active: Bool) async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        let app = try await daemon.ownApp()
        _ = try await daemon.call(Grant.self, .init(app: app, level: level))
        var options = Options()
        options.allowsBackground = true
        options.showsBackgroundIndicator = option
        var updates = try await daemon.subscribe(options).makeAsyncIterator()
        try await daemon.waitUntilOpen()
        try #require(try await daemon.location(ofEpoch: 0, on: wire, in: &updates) != nil)
        let inUse = try await daemon.call(GetIndicator.self, .init()).apps
        #expect(inUse.map(\.active) == [true])
        #expect(inUse.map(\.background) == [false])

        let declaration = try await daemon.connect(to: LocationInterface.self)
        _ = try await declaration.call(
            SetBackground.qualifiedName, SetBackground.Parameters(background: true), returning: Nothing.self)
        #expect(try await daemon.location(ofEpoch: 1, on: wire, in: &updates) != nil)
        let apps = try await daemon.call(GetIndicator.self, .init()).apps
        #expect(apps.map(\.app) == [app])
        #expect(apps.map(\.active) == [active])
        #expect(apps.map(\.background) == [true])
        #expect(apps[0].lastUse >= inUse[0].lastUse)
        let log = try await daemon.call(GetAccessLog.self, .init()).entries
        #expect(log.filter(\.background).map(\.deliveries) == [1])
    }
}
