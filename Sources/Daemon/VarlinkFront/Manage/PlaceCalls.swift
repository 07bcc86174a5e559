internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Receivers
internal import Varlink

/// The calls about the places of visits, and about the data kept for apps.
struct PlaceCalls {
    let monitoring: Monitoring
    let events: EventStreams
    let cellRetention: CellRetention
    let databases: NavigationDatabases

    func list(_ call: Call<ListPlaces>, _: UserScope, _ user: UInt32) {
        let places = monitoring.visitLog.places(of: user).map(Place.init)
        PageSender(call).send(ListPlaces.Reply(places: places), continues: false)
    }

    func clear(_ call: Call<ClearPlaces>, _: ClearPlaces.Parameters, _ cleared: ManagementAccess.Cleared) {
        switch cleared {
        case .places(let user):
            // The databases are the machine's: without them, a receiver only needs longer for its next first fix.
            let written = monitoring.clearPlaces(of: user).and(cellRetention.clear(for: user)).and(databases.forget())
                .map { _ in }
            call.reply(when: written) { Nothing() }
        case .app(let app): call.reply(when: events.clear(app)) { Nothing() }
        }
    }
}
