internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Receivers
internal import Varlink

/// The calls about the places of visits, the places that the machine remembers, and the data kept for apps.
struct PlaceCalls {
    let monitoring: Monitoring
    let events: EventStreams
    let cellRetention: CellRetention
    let databases: NavigationDatabases
    let remembered: RememberedPlaces

    func list(_ call: Call<ListPlaces>, _: UserScope, _ user: UInt32) {
        let places = monitoring.visitLog.places(of: user).map(Place.init)
        PageSender(call).send(ListPlaces.Reply(places: places), continues: false)
    }

    func clear(_ call: Call<ClearPlaces>, _: ClearPlaces.Parameters, _ cleared: ManagementAccess.Cleared) {
        switch cleared {
        case .places(let user):
            // The databases and remembered places are the machine's: without the former, a receiver only needs longer
            // for its next first fix, and the latter do not show which user was there.
            let written = monitoring.clearPlaces(of: user).and(cellRetention.clear(for: user)).and(databases.forget())
                .and(remembered.clear()).map { _ in }
            call.reply(when: written) { Nothing() }
        case .app(let app): call.reply(when: events.clear(app)) { Nothing() }
        }
    }

    func getRemembered(_ call: Call<GetRememberedPlaces>, _: Nothing, _: ManagementAccess.Manager) {
        let summary = remembered.summary
        let lastUse = summary?.lastUse.map { day in
            String(Timestamp(millisecondsSince1970: Int64(day) * 86_400_000).description.prefix(10))
        }
        call.reply(GetRememberedPlaces.Reply(count: summary?.count, lastUse: lastUse))
    }

    func forgetRemembered(
        _ call: Call<ForgetRememberedPlaces>, _ request: ForgetRememberedPlaces.Parameters,
        _: ManagementAccess.Manager
    ) {
        let count = remembered.summary?.count ?? 0
        let forgotten = request.here == true ? remembered.clearHere() : remembered.clear().map { count }
        call.reply(with: forgotten) { ForgetRememberedPlaces.Reply(count: $0) }
    }
}
