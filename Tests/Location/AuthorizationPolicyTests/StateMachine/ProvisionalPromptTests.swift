import LocationModel
import Testing

@testable import AuthorizationPolicy

/// The second prompt about a provisional `always`. No request waits for it.
@Suite struct ProvisionalPromptTests {
    private static let prompts = AuthorizationStateMachine.maximumOpenPromptsPerUser

    private static func app(_ index: Int) -> AppKey {
        AppKey(uid: 1000, app: AppIdentity("exe:/opt/\(index)")!)
    }

    private static func scene() -> Scene {
        let decisions = (0..<prompts).map { (app($0), Decision(level: .provisionalAlways)) }
        var scene = Scene(Dictionary(uniqueKeysWithValues: decisions), connected: (0..<prompts).map { app($0) })
        for index in 0..<prompts { scene.promptAgain(app(index)) }
        return scene
    }

    /// Attack: programs with a provisional `always` receive something in the background and exit, and the prompts about
    /// them are not answered.
    @Test func requestsHavePriority() throws {
        var scene = Self.scene()
        #expect(scene.machine.prompts.count == Self.prompts)
        for index in 0..<Self.prompts { scene.disconnect(Self.app(index)) }
        scene.connect(.maps)
        scene.request(.whenInUse)
        #expect(scene.prompt()?.subject == .whenInUse)
        #expect(scene.machine.prompts.count == Self.prompts)
        // The oldest prompt has made room. It comes back with the next delivery, once there is room.
        #expect(scene.prompt(Self.app(0)) == nil)
        scene.promptAgain(Self.app(0))
        #expect(scene.prompt(Self.app(0)) == nil)
        try scene.answer(.deny)
        scene.promptAgain(Self.app(0))
        #expect(scene.prompt(Self.app(0))?.subject == .keepAlways)
    }

    @Test func aPromptThatARequestWaitsForKeepsItsPlace() throws {
        var scene = Self.scene()
        // The app waits for the answer to this one before it may ask for more.
        for index in 0..<Self.prompts { scene.request(.always, reason: "own words", by: Self.app(index)) }
        let waiting = (0..<Self.prompts).filter { scene.machine.states[Self.app($0)]?.waiting.isEmpty == false }
        scene.connect(.maps)
        scene.request(.whenInUse)
        for index in waiting { #expect(scene.prompt(Self.app(index)) != nil) }
    }
}
