import LocationModel

@testable import AuthorizationPolicy

/// The apps of an exploration, and the events that happen to them.
struct ModelScope: Sendable {
    /// The apps. All have the same manifest, so that one can be exchanged for another.
    let apps: [AppKey]
    /// Other apps of the first user, each with an open prompt that nobody answers.
    var crowd: [AppKey] = []
    /// A Boolean value indicating whether services switches and the configuration change, users choose accuracies and
    /// lifetimes, and answers arrive after a late timer.
    var isWide = false
    let name: String
    let manifests: [AppIdentity: AppManifest]

    init(_ name: String, _ apps: [AppKey], crowd: Int = 0, isWide: Bool = false) {
        self.apps = apps
        self.crowd = (0..<crowd).map { AppKey(uid: apps[0].uid, app: AppIdentity("exe:/usr/bin/crowd\($0)")!) }
        self.isWide = isWide
        self.name = name
        let names = Set((apps + self.crowd).map(\.app))
        manifests = Dictionary(uniqueKeysWithValues: names.map { ($0, AppManifest.ofMaps) })
    }

    static let oneApp = ModelScope("one app", [.maps])
    static let oneAppWide = ModelScope("one app, all events", [.maps], isWide: true)
    static let twoUsers = ModelScope("an app of two users", [.maps, .mapsOfAnother])
    static let twoApps = ModelScope(
        "two apps of a user with room for one prompt", [.maps, .tool],
        crowd: AuthorizationStateMachine.maximumOpenPromptsPerUser - 1)
    static let twoAppsOfTwoUsers = ModelScope(
        "two apps of two users", [.maps, .tool, .mapsOfAnother, AppKey(uid: 1001, app: AppKey.tool.app)])
}
