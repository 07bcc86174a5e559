internal import LocationProtocol
internal import NIOCore
internal import Receivers
internal import Varlink

/// Simulation, and the places of the visits.
extension ManageInterfaceHandler {
    /// The handlers by the method's name.
    var simulationHandlers: [String: VarlinkService.Handler] {
        [
            Simulate.name: { (call) throws(VarlinkError) in try self.simulate(call) },
            StopSimulation.name: { (call) throws(VarlinkError) in
                guard self.isAdministrator(call) else { throw .permissionDenied }
                self.engine.receivers.simulate(nil)
                call.reply(Nothing())
            },
            ListPlaces.name: { (call) throws(VarlinkError) in
                let uid = try self.user(try call.parameters(as: UserScope.self).uid, managedBy: call)
                let places = self.engine.monitoring.visitLog.places(of: uid)
                self.reply(ListPlaces.Reply(places: places.map(Place.init)), to: call)
            },
            ClearPlaces.name: { (call) throws(VarlinkError) in
                let uid = try self.user(try call.parameters(as: UserScope.self).uid, managedBy: call)
                self.engine.monitoring.clearVisits(of: uid).assumeIsolated().whenComplete { result in
                    switch result {
                    case .success: call.reply(Nothing())
                    case .failure(let error): call.fail(.manage(.storeFailed(reason: "\(error)")))
                    }
                }
            },
        ]
    }

    private func simulate(_ call: Call) throws(VarlinkError) {
        guard isAdministrator(call) else { throw .permissionDenied }
        let request = try call.parameters(as: Simulate.Parameters.self)
        do throws(ReceiverFailure) {
            let simulation: Simulation
            switch (request.latitude, request.longitude, request.route) {
            case (let latitude?, let longitude?, nil):
                simulation = try Simulation(latitude: latitude, longitude: longitude)
            case (nil, nil, let route?): simulation = try Simulation(gpx: route, speed: request.speed)
            default:
                throw ReceiverFailure(.unusable, "a place (latitude and longitude) or a route is needed, and not both")
            }
            engine.receivers.simulate(
                Receiver(
                    simulation, name: "simulation", on: engine.loop, seed: .random(in: 0 ... .max), clock: engine.clock)
            )
            call.reply(Nothing())
        } catch {
            throw .manage(.simulationRefused(reason: error.message))
        }
    }
}
