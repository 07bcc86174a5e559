import Bus
import LocationModel
import Testing

@testable import GeoClueFront

/// Every state of a client against every event.
@Suite struct ClientStateWalkTests {
    private enum Event: CaseIterable {
        case start, stop, grant, deny, restrict, reset, servicesOff, suspend, unsuspend, reduce, location, delete,
            vanish, dismiss
    }

    /// Walks through all sequences of four events.
    @Test func anySequence() {
        var scene = Scene()
        let path = scene.makeLabelledClient()
        walk(on: path, scene, Model(), after: [])
    }

    private func walk(on path: String, _ scene: Scene, _ model: Model, after events: [Event]) {
        guard events.count < 4 else { return }
        for event in Event.allCases {
            var (scene, model) = (scene, model)
            apply(event, path, &scene)
            if event == .dismiss { model.isPrompting = false }
            model.follow(scene.take())
            model.check(scene, events + [event])
            walk(on: path, scene, model, after: events + [event])
        }
    }

    private func apply(_ event: Event, _ path: String, _ scene: inout Scene) {
        switch event {
        case .start: scene.start(path)
        case .stop: scene.stop(path)
        case .grant: scene.authorize(.granted)
        case .deny: scene.authorize(.denied)
        case .restrict: scene.authorize(.restricted)
        case .reset: scene.authorize(.notDetermined)
        case .servicesOff: scene.authorize(.servicesOff)
        case .suspend: scene.perform { $0.modify(1) { $0.setSuspended(true) } }
        case .unsuspend: scene.perform { $0.modify(1) { $0.setSuspended(false) } }
        case .reduce: scene.perform { $0.modify(1) { $0.accuracyReduced() } }
        case .location: scene.deliver()
        case .delete: scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o", [.objectPath(path)])
        case .dismiss: scene.declinePrompt()
        case .vanish: scene.perform { $0.closed(1) }
        }
    }

    /// The open subscriptions of a shell that performs the actions, and the knowledge of the app.
    private struct Model {
        var isSubscribed = false
        var isPrompting = false
        var isActive = false
        var location = "/"

        mutating func follow(_ actions: [Action]) {
            for action in actions {
                switch action {
                case .subscribe: isSubscribed = true
                case .unsubscribe: isSubscribed = false
                case .prompt: isPrompting = true
                case .cancelPrompt: isPrompting = false
                case .signal(let signal, to: let connection):
                    #expect(connection == 1)
                    follow(signal)
                case .announce, .queryAgent, .setDesktopLimit, .reply, .fail: Issue.record("\(action)")
                }
            }
        }

        private mutating func follow(_ signal: BusSignal) {
            guard signal.member == "PropertiesChanged" else {
                #expect(isActive && isSubscribed && signal.arguments.first == .objectPath(location))
                return
            }
            guard case .properties(let properties) = signal.arguments[1] else {
                Issue.record("\(signal)")
                return
            }
            for property in properties {
                if case .boolean(let value) = property.value {
                    #expect(value != isActive, "only changes are reported")
                    isActive = value
                }
                if case .objectPath(let path) = property.value { location = path }
            }
        }

        mutating func check(_ scene: Scene, _ events: [Event]) {
            guard let client = scene.tree.clients[1] else {
                #expect(!isPrompting && !isSubscribed, "\(events)")
                return
            }
            #expect(client.isActive == isActive && client.locationPath == location, "\(events)")
            #expect(isPrompting == (client.phase == .undecided), "\(events)")
            // The core has ended the subscription.
            if case .refused = client.phase { isSubscribed = false }
            if [.delivering, .suspended].contains(client.phase) { #expect(isSubscribed, "\(events)") }
            if client.phase == .stopped { #expect(!isActive, "\(events)") }
            guard scene.authorizations[1]?.status.isAuthorized != true else { return }
            #expect(![.delivering, .suspended].contains(client.phase), "\(events)")
            #expect(client.locations.newest == nil, "\(events)")
        }
    }
}
