internal import CoreLocation
internal import LocationClient
internal import NIOCore

/// A manager's request for one location. There is at most one at a time. Confined to the event loop.
final class SingleLocationRequest: Sendable {
    private struct State {
        var request: CancellationHandle?
        var observation: CancellationHandle?
        var validity: ManagerDelivery.Validity?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ delivery: ManagerDelivery) {
        self.app = app
        self.delivery = delivery
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    /// Starts a request, unless one is pending. While the user is being prompted, the request waits for the answer.
    func start(_ accuracy: DesiredAccuracy, _ validity: ManagerDelivery.Validity) {
        guard state.value.validity == nil else { return }
        state.value.validity = validity
        app.authorization.begin()
        let observation = app.authorization.observe { [self] authorization in
            guard state.value.validity === validity, state.value.request == nil else { return }
            if authorization.status.isAuthorized {
                send(accuracy, validity)
            } else if authorization.status != .notDetermined || !app.authorization.isRequesting {
                app.authorization.reportMissingRequest()
                fail(authorization == .daemonUnreachable ? .locationUnknown : .denied)
            }
        }
        // The request may have failed or been sent at once.
        if state.value.validity === validity, state.value.request == nil {
            state.value.observation = observation
        } else {
            observation.cancel()
        }
    }

    /// Cancels the request.
    func cancel() {
        forget()?.cancel()
    }

    private func forget() -> CancellationHandle? {
        state.value.observation?.cancel()
        defer { state.value = State() }
        return state.value.request
    }

    private func fail(_ code: CLError.Code) {
        delivery.fail(state.value.validity, code)
        _ = forget()
    }

    private func send(_ accuracy: DesiredAccuracy, _ validity: ManagerDelivery.Validity) {
        state.value.request = app.client.locationRequest(desiredAccuracy: accuracy).send { [self] result in
            guard state.value.validity === validity else { return }
            switch result {
            case .success(let value):
                let location = CLLocation(value)
                app.locations.received(location, for: accuracy)
                delivery.callDelegate(validity) { [locations = app.locations] manager, delegate in
                    // A revocation also discards a location not yet delivered.
                    guard locations.last(for: accuracy) != nil else {
                        return delegate.locationManager(manager, didFailWithError: CLError(.locationUnknown))
                    }
                    delegate.locationManager(manager, didUpdateLocations: [location])
                }
                _ = forget()
            case .failure(.notAuthorized), .failure(.servicesDisabled): fail(.denied)
            case .failure(let error):
                app.diagnostics.reportFailure(error)
                fail(.locationUnknown)
            }
        }
    }
}
