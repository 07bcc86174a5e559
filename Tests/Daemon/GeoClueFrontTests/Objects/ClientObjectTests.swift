import Bus
import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct ClientObjectTests {
    private let first = "/org/freedesktop/GeoClue2/Client/1/Location/0"
    private let second = "/org/freedesktop/GeoClue2/Client/1/Location/1"

    /// Returns a scene with a client that has a DesktopId.
    private func scene(_ authorization: Authorization) -> (Scene, String) {
        var scene = Scene()
        scene.authorizations[1] = authorization
        let path = scene.makeLabelledClient()
        return (scene, path)
    }

    @Test func theDefaults() {
        var scene = Scene()
        let path = scene.makeClient()
        #expect(
            scene.getAll(path)
                == .success([
                    .properties([
                        PropertyValue("Location", .objectPath("/")), PropertyValue("DistanceThreshold", .uint32(0)),
                        PropertyValue("TimeThreshold", .uint32(0)), PropertyValue("DesktopId", .string("")),
                        PropertyValue("RequestedAccuracyLevel", .uint32(4)), PropertyValue("Active", .boolean(false)),
                    ])
                ]))
    }

    // MARK: Start

    @Test func aGrantedAppIsActiveAtOnce() {
        var (scene, path) = scene(.granted)
        #expect(scene.start(path) == .success([]))
        #expect(scene.take() == [.changed("Active", .boolean(true)), .subscribe(1, .threeKilometers)])
        #expect(scene.start(path) == .success([]), "a second Start does nothing")
        #expect(scene.take().isEmpty)
    }

    /// The reply does not wait for the user: clients give up after 25 s.
    @Test func anUndecidedAppIsActiveAndGetsNothing() {
        var (scene, path) = scene(.notDetermined)
        #expect(scene.start(path) == .success([]))
        #expect(
            scene.take() == [
                .changed("Active", .boolean(true)),
                .prompt(
                    1, PromptRequest(level: .whenInUse, ownWords: "Calls itself maps.", prefersReducedAccuracy: true)),
            ])
        scene.deliver()
        #expect(scene.take().isEmpty)
        #expect(scene.get("Location", path) == .success([.variant(.objectPath("/"))]))
        scene.authorize(.granted)
        #expect(scene.take() == [.cancelPrompt(1), .subscribe(1, .threeKilometers)])
    }

    @Test func theUserDenies() {
        var (scene, path) = scene(.notDetermined)
        scene.start(path)
        _ = scene.take()
        scene.authorize(.denied)
        #expect(scene.take() == [.cancelPrompt(1), .changed("Active", .boolean(false))])
        #expect(scene.get("Active", path) == .success([.variant(.boolean(false))]))
        scene.authorize(.granted)
        #expect(scene.take() == [.changed("Active", .boolean(true)), .subscribe(1, .threeKilometers)])
    }

    /// The user dismisses the prompt, or has dismissed so many that it is not shown: the app does not wait in vain.
    @Test func theUserDoesNotDecide() {
        var (scene, path) = scene(.notDetermined)
        scene.start(path)
        _ = scene.take()
        scene.declinePrompt()
        #expect(scene.take() == [.changed("Active", .boolean(false))])
        scene.declinePrompt()
        scene.authorize(.notDetermined)
        #expect(scene.take().isEmpty, "no prompt by itself")
        scene.start(path)
        #expect(scene.take().count == 2, "the next Start prompts again")
        scene.declinePrompt()
        _ = scene.take()
        scene.authorize(.granted)
        #expect(scene.take() == [.changed("Active", .boolean(true)), .subscribe(1, .threeKilometers)])
        scene.declinePrompt()
        #expect(scene.take().isEmpty)
    }

    @Test(arguments: [
        (Authorization.denied, "'maps' disallowed for UID 1000"),
        (.restricted, "'maps' disallowed by configuration for UID 1000"),
        (.servicesOff, "Geolocation disabled for UID 1000"),
    ])
    func whoMayNotHaveTheLocationIsRefused(_ authorization: Authorization, _ text: String) {
        var (scene, path) = scene(authorization)
        #expect(scene.start(path) == .failure(BusError(.accessDenied, text)))
        #expect(scene.take().isEmpty)
        scene.authorize(.granted)
        #expect(scene.take().isEmpty, "a Start that was refused has started nothing")
    }

    /// A page in Firefox and an app behind the portal get an answer, instead of waiting forever. The user is not
    /// prompted in vain.
    @Test(arguments: [Authorization.granted, .notDetermined])
    func withoutAReceiverNothingStarts(_ authorization: Authorization) {
        var (scene, path) = scene(authorization)
        scene.hasReceiver = false
        let refusal = BusError(.failed, "No receiver is connected or configured")
        #expect(scene.start(path) == .failure(refusal))
        #expect(scene.take().isEmpty)
        scene.authorize(.granted)
        #expect(scene.take().isEmpty, "a Start that failed has started nothing")
        scene.hasReceiver = true
        #expect(scene.start(path) == .success([]))
        scene.hasReceiver = false
        #expect(scene.start(path) == .success([]), "it is started, and waits for the receiver to return")
    }

    /// A denied app reads that it is denied, and has no reason to try again.
    @Test func aDeniedAppIsDeniedWithoutAReceiverToo() {
        var (scene, path) = scene(.denied)
        scene.hasReceiver = false
        #expect(scene.start(path) == .failure(BusError(.accessDenied, "'maps' disallowed for UID 1000")))
    }

    @Test func withoutADesktopIDNothingStarts() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeClient()
        let refusal = BusError(.accessDenied, "'DesktopId' property must be set")
        #expect(scene.start(path) == .failure(refusal))
        scene.set("DesktopId", .string(""), path)
        #expect(scene.start(path) == .failure(refusal))
        scene.set("DesktopId", .string("x"), path)
        #expect(scene.start(path) == .success([]))
    }

    /// The kernel says which Flatpak it is.
    @Test func aFlatpakNeedsNone() {
        var scene = Scene()
        scene.apps[1] = Scene.flatpak
        let path = scene.makeClient()
        #expect(scene.start(path) == .success([]))
        #expect(
            scene.take().last
                == .prompt(
                    1,
                    PromptRequest(
                        level: .whenInUse, ownWords: "Calls itself org.example.Weather.", prefersReducedAccuracy: true))
        )
    }

    /// A service is never in use, so a grant for "while in use" would never apply.
    @Test func aServiceAsksForTheBackground() {
        var scene = Scene()
        scene.apps[1] = AppKey(uid: 0, app: AppIdentity("service:automatic-timezoned")!)
        let path = scene.makeLabelledClient()
        scene.start(path)
        guard case .prompt(_, let request)? = scene.take().last else {
            Issue.record("no prompt")
            return
        }
        #expect(request.level == .always)
    }

    @Test(arguments: [
        (0, DesiredAccuracy.hundredMeters, false), (1, .threeKilometers, true), (4, .threeKilometers, true),
        (5, .threeKilometers, true), (6, .hundredMeters, false), (7, .hundredMeters, false), (8, .best, false),
        (UInt32.max, .best, false),
    ])
    func theLevelAtStart(_ level: UInt32, _ accuracy: DesiredAccuracy, _ prefersReduced: Bool) {
        var (scene, path) = scene(.notDetermined)
        scene.set("RequestedAccuracyLevel", .uint32(level), path)
        #expect(scene.get("RequestedAccuracyLevel", path) == .success([.variant(.uint32(level))]))
        scene.start(path)
        guard case .prompt(_, let request)? = scene.take().last else {
            Issue.record("no prompt")
            return
        }
        #expect(request.prefersReducedAccuracy == prefersReduced)
        scene.set("RequestedAccuracyLevel", .uint32(5), path)
        scene.authorize(.granted)
        #expect(scene.take().last == .subscribe(1, accuracy), "a change needs Stop and Start")
    }

    // MARK: Locations

    @Test func theOrderOnTheWire() {
        var (scene, path) = scene(.granted)
        scene.start(path)
        _ = scene.take()
        scene.deliver()
        #expect(scene.take() == [.updated("/", first), .changed("Location", .objectPath(first))])
        scene.deliver(.berne.moved(north: 1))
        #expect(scene.take() == [.updated(first, second), .changed("Location", .objectPath(second))])
        #expect(scene.getAll(first, Scene.location) != .failure(.unknownObject))
    }

    @Test func afterAStopTheCountGoesOn() {
        var (scene, path) = scene(.granted)
        scene.start(path)
        scene.deliver()
        _ = scene.take()
        scene.stop(path)
        #expect(scene.take() == [.unsubscribe(1), .changed("Active", .boolean(false))])
        #expect(scene.get("Location", path) == .success([.variant(.objectPath(first))]), "it stays")
        scene.deliver(.berne.moved(north: 1))
        #expect(scene.take().isEmpty)
        scene.stop(path)
        #expect(scene.take().isEmpty, "Stop always succeeds")
        scene.start(path)
        _ = scene.take()
        scene.deliver(.berne.moved(north: 2))
        #expect(scene.take().first == .updated(first, second))
    }

    // MARK: Revocation, suspension, reduction

    @Test(arguments: [Authorization.denied, .restricted, .servicesOff, .notDetermined])
    func aRevocation(_ authorization: Authorization) {
        var (scene, path) = scene(.granted)
        scene.start(path)
        scene.deliver()
        _ = scene.take()
        scene.authorize(authorization)
        #expect(
            scene.take() == [
                .changed([PropertyValue("Active", .boolean(false)), PropertyValue("Location", .objectPath("/"))])
            ])
        #expect(scene.getAll(first, Scene.location) == .failure(.unknownObject), "nothing is left to read")
        scene.deliver(.berne.moved(north: 1))
        #expect(scene.take().isEmpty)
        scene.authorize(.granted)
        #expect(scene.take() == [.changed("Active", .boolean(true)), .subscribe(1, .threeKilometers)])
        scene.deliver(.berne.moved(north: 2))
        #expect(scene.take().first == .updated("/", second))
    }

    /// A desktop's switch that is off and on again leaves an app that waited for the user waiting.
    @Test func servicesComeBackForAnUndecidedApp() {
        var (scene, path) = scene(.notDetermined)
        scene.start(path)
        scene.authorize(.servicesOff)
        _ = scene.take()
        scene.authorize(.notDetermined)
        let actions = scene.take()
        #expect(actions.first == .changed("Active", .boolean(true)))
        guard case .prompt? = actions.last else {
            Issue.record("no prompt")
            return
        }
    }

    /// An app that was reset asks again when it starts again, and not on its own.
    @Test func aResetAppDoesNotPromptByItself() {
        var (scene, path) = scene(.granted)
        scene.start(path)
        scene.authorize(.notDetermined)
        _ = scene.take()
        scene.authorize(.notDetermined)
        #expect(scene.take().isEmpty)
        scene.start(path)
        #expect(scene.take().first == .changed("Active", .boolean(true)))
    }

    @Test func aSuspension() {
        var (scene, path) = scene(.granted)
        scene.start(path)
        _ = scene.take()
        scene.perform { $0.modify(1) { $0.setSuspended(true) } }
        #expect(scene.take() == [.changed("Active", .boolean(false))])
        scene.deliver()
        #expect(scene.take().isEmpty)
        #expect(scene.start(path) == .success([]))
        #expect(scene.take().isEmpty, "it is started")
        scene.perform { $0.modify(1) { $0.setSuspended(false) } }
        #expect(scene.take() == [.changed("Active", .boolean(true))])
        scene.deliver()
        #expect(scene.take().count == 2)
        scene.perform { $0.modify(1) { $0.setSuspended(true) } }
        scene.stop(path)
        #expect(scene.take().last == .unsubscribe(1))
    }

    /// Attack: an app whose accuracy was reduced reads the earlier location with full accuracy again.
    @Test func aReductionForgetsTheFineLocation() {
        var (scene, path) = scene(.granted)
        scene.start(path)
        scene.deliver()
        _ = scene.take()
        scene.perform { $0.modify(1) { $0.accuracyReduced() } }
        #expect(scene.take() == [.changed("Location", .objectPath("/"))])
        #expect(scene.getAll(first, Scene.location) == .failure(.unknownObject))
    }
}
