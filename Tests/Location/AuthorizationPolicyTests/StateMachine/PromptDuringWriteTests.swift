import AuthorizationPolicy
import LocationModel
import Testing

/// Prompts about an app, and ends of its grant, while a change of the grant is being written.
@Suite struct PromptDuringWriteTests {
    /// Returns a reduced grant whose change to full accuracy is being written, with a prompt for `always` (request 1).
    private func sceneWithPrompt() throws -> Scene {
        var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .reduced)])
        scene.writesAtOnce = false
        scene.request(.always)
        try scene.setAccuracy(.full)
        #expect(scene.prompt()?.defaultAccuracy == .full)
        return scene
    }

    @Test func thePromptStaysOpen() throws {
        var scene = try sceneWithPrompt()
        scene.finishWrite()
        #expect(scene.prompt()?.subject == .alwaysInsteadOfWhenInUse)
        #expect(scene.replies[1] == nil)
    }

    /// Attack: the disk is full, and the prompt stays open without a request and without an end. Weeks later, the user
    /// keeps "while using" there, and thereby grants the full accuracy that was never in effect.
    @Test func aFailedWriteClosesThePrompt() throws {
        var scene = try sceneWithPrompt()
        scene.finishWrite(successfully: false)
        #expect(scene.prompt() == nil)
        #expect(scene.reply(to: 1) == .authorizedWhenInUse)
        #expect(scene.accuracy() == .reduced)
    }

    /// Attack: the administrator bars all apps from the location, and a prompt that is still open grants it.
    @Test func aPromptThatFitsNoMoreIsClosedBeforeTheWriteIsDone() throws {
        var scene = try sceneWithPrompt()
        scene.restrict([.everything])
        #expect(scene.prompt() == nil)
        #expect(scene.replies[1] == nil)
        scene.finishWrite()
        #expect(scene.reply(to: 1) == .restricted)
    }

    /// Attack: "once" ends while a grant that replaces it is being written. That write fails, and after a restart the
    /// processes that had "once" have it again.
    @Test func anEndIsWrittenIfTheDecisionInItsPlaceIsNot() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .once)])
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .always))
        scene.disconnect()
        scene.advance(by: 10)
        #expect(scene.status() == .notDetermined)
        scene.finishWrite(successfully: false)
        #expect(scene.disk[.maps]?.lifetime == .once)
        scene.finishWrite()
        #expect(scene.disk[.maps] == nil && scene.writes.isEmpty)
    }

    /// A full disk ends the attempts.
    @Test func aSecondFailureIsTheLastOne() throws {
        var scene = Scene([.maps: Decision(level: .always, accuracy: .reduced)])
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .whenInUse, accuracy: .full))
        #expect(scene.status() == .authorizedWhenInUse && scene.accuracy() == .reduced)
        scene.finishWrite(successfully: false)
        scene.finishWrite(successfully: false)
        #expect(scene.writes.isEmpty && scene.status() == .authorizedWhenInUse && scene.accuracy() == .reduced)
    }
}
