internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The calls about the places of visits.
struct PlaceCalls {
    let monitoring: Monitoring

    func list(_ call: Call<ListPlaces>, _: UserScope, _ user: UInt32) {
        let places = monitoring.visitLog.places(of: user).map(Place.init)
        PageSender(call).send(ListPlaces.Reply(places: places), continues: false)
    }

    func clear(_ call: Call<ClearPlaces>, _: UserScope, _ user: UInt32) {
        call.reply(when: monitoring.clearVisits(of: user)) { Nothing() }
    }
}
