internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// The call for the machine's geocoder. Confined to the event loop.
final class GeocoderCalls {
    /// The path of its socket, or `nil` if there is none.
    ///
    /// Attack: an app asks for the address of a place, and the daemon, which knows where the machine is and has no
    /// network access, passes it to a service. So the daemon never connects to the socket: each app does, as its user.
    var socket: String?

    init(socket: String?) {
        self.socket = socket
    }

    func get(_ call: Call<GetGeocoder>, _: Nothing, _ app: ConnectedApp) {
        call.reply(GetGeocoder.Reply(socket: socket))
    }
}
