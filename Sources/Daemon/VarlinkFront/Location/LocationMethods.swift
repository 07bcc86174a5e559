internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// The methods of `io.locationd.Location`.
struct LocationMethods {
    let access: AppAccess
    let authorization: AuthorizationCalls
    let subscriptions: SubscriptionCalls
    let monitoring: MonitoringCalls
    let geocoder: GeocoderCalls

    /// The methods, each with the rule for who may call it and the function that answers it.
    var table: [MethodHandler<LocationInterface>] {
        [
            .init(GetAuthorization.self, access.connected, authorization.get),
            .init(RequestAuthorization.self, access.connected, authorization.request),
            .init(RequestTemporaryFullAccuracy.self, access.connected, authorization.requestTemporaryFullAccuracy),
            .init(SetBackground.self, access.connected, authorization.setBackground),

            .init(Subscribe.self, access.authorized, subscriptions.subscribe),
            .init(Record.self, access.authorizedForBytes, subscriptions.record),
            .init(GetLocation.self, access.authorized, subscriptions.getLocation),

            .init(MonitorSignificantChanges.self, access.authorized, monitoring.monitorSignificantChanges),
            .init(MonitorVisits.self, access.authorizedForVisits, monitoring.monitorVisits),
            .init(GetCompass.self, access.authorizedForCompass, monitoring.getCompass),
            .init(MonitorHeading.self, access.authorizedForHeading, monitoring.monitorHeading),
            .init(GetRanging.self, access.connected, monitoring.getRanging),
            .init(RangeBeacons.self, access.authorizedForRegions, monitoring.rangeBeacons),
            .init(MonitorRegions.self, access.authorizedForRegions, monitoring.monitorRegions),
            .init(StartMonitoringRegion.self, access.authorizedForRegions, monitoring.startMonitoringRegion),
            .init(
                StartMonitoringBeaconRegion.self, access.authorizedForRegions, monitoring.startMonitoringBeaconRegion),
            .init(StopMonitoringRegion.self, access.connected, monitoring.stopMonitoringRegion),
            .init(ListRegions.self, access.connected, monitoring.listRegions),
            .init(GetRegionState.self, access.authorizedForRegions, monitoring.getRegionState),

            .init(GetGeocoder.self, access.connected, geocoder.get),
        ]
    }
}

extension LocationMethods {
    /// Creates the methods with the parts of the core that they use.
    init(_ core: Core, encoder: LocationEncoder, geocoder: GeocoderCalls) {
        self.init(
            access: AppAccess(peers: core.peers, gate: core.gate),
            authorization: AuthorizationCalls(
                broker: core.broker, agents: core.agents, changes: core.changes, entitlements: core.entitlements),
            subscriptions: SubscriptionCalls(subscriptions: core.subscriptions, encoder: encoder),
            monitoring: MonitoringCalls(streams: core.events), geocoder: geocoder)
    }
}
