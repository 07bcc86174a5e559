internal import CoreLocation
internal import LocationClient

extension ManagerMonitoring<LocationUpdate> {
    /// Returns the monitoring of significant changes, reported like other locations.
    static func significantChanges(
        _ app: AppSession, _ delivery: ManagerDelivery, _ reports: ManagerReports
    ) -> ManagerMonitoring {
        ManagerMonitoring(
            app, reports, makeStream: { app.client.significantChanges(wake: $0) },
            consumeWakeEvents: { app.wakes.consumeChanges().map { .location($0) } },
            handler: { notice, validity in
                switch notice {
                case .element(.location(let value)):
                    let location = CLLocation(value)
                    app.locations.received(location, for: .best, isCurrent: false)
                    guard reports.isNew(change: value) else { return }
                    delivery.callDelegate(validity) { [locations = app.locations] manager, delegate in
                        // A revocation also discards a location not yet delivered.
                        guard locations.last(for: .best) != nil else { return }
                        delegate.locationManager(manager, didUpdateLocations: [location])
                    }
                case .element: break
                case .failed(let code): delivery.fail(validity, code)
                }
            })
    }
}

extension ManagerMonitoring<MonitoringUpdate<Visit>> {
    /// Returns the monitoring of visits, which reports arrivals and departures.
    static func visits(
        _ app: AppSession, _ delivery: ManagerDelivery, _ reports: ManagerReports
    ) -> ManagerMonitoring {
        ManagerMonitoring(
            app, reports, makeStream: { app.client.visits(wake: $0) },
            consumeWakeEvents: { app.wakes.consumeVisits().map { .event($0) } },
            handler: { notice, validity in
                switch notice {
                case .element(.event(let visit)):
                    delivery.callDelegate(validity) { $1.locationManager($0, didVisit: CLVisit(visit)) }
                case .element: break
                case .failed(let code): delivery.fail(validity, code)
                }
            })
    }
}

extension CLVisit {
    /// Creates a visit from the daemon's.
    convenience init(_ visit: Visit) {
        var values = Values.unknown
        values.arrivalDate = Date(visit.arrival)
        values.departureDate = visit.departure.map { Date($0) } ?? .distantFuture
        values.coordinate = CLLocationCoordinate2D(latitude: visit.latitude, longitude: visit.longitude)
        values.horizontalAccuracy = visit.horizontalAccuracy
        self.init(values)
    }
}
