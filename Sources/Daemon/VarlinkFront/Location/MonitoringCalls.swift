internal import Beacons
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The calls about significant changes, regions, visits, headings and beacons.
struct MonitoringCalls {
    let streams: EventStreams

    func monitorSignificantChanges(
        _ call: Call<MonitorSignificantChanges>, _ request: WakeParameters, _ app: ConnectedApp
    ) {
        let subscriber = MonitorCall(call) { (location: Location) in
            MonitorSignificantChanges.Reply(update: Update(event: .location, location: location))
        }
        streams.openSignificantChanges(of: app, wake: request.wake, for: subscriber)
    }

    func monitorVisits(_ call: Call<MonitorVisits>, _ request: WakeParameters, _ app: ConnectedApp) {
        streams.openVisits(
            of: app, wake: request.wake, for: MonitorCall(call) { (visit: Visit) in .init(visit: visit) })
    }

    func monitorRegions(_ call: Call<MonitorRegions>, _: Nothing, _ app: ConnectedApp) {
        streams.openRegions(of: app, for: MonitorCall(call) { (event: RegionEvent) in .init(event: event) })
    }

    /// Replies whether there is a compass.
    ///
    /// Attack: the presence of a compass is known 10 s after a receiver's first fix, so an app with reduced accuracy
    /// would learn when the sky opened. It has no heading, and so no compass.
    func getCompass(_ call: Call<GetCompass>, _: Nothing, _ hasHeading: Bool) {
        call.reply(GetCompass.Reply(available: hasHeading ? streams.hasCompass : false))
    }

    func monitorHeading(
        _ call: Call<MonitorHeading>, _ request: MonitorHeading.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        if let degrees = request.filter, !degrees.isFinite { throw .invalidParameter("filter") }
        streams.openHeadings(
            of: app, degrees: request.filter,
            for: NewestEventCall(call) { (heading: Heading) in .init(heading: heading) })
    }

    func getRanging(_ call: Call<GetRanging>, _: Nothing, _ app: ConnectedApp) {
        call.reply(GetRanging.Reply(available: streams.canRangeBeacons(app)))
    }

    func rangeBeacons(
        _ call: Call<RangeBeacons>, _ request: RangeBeacons.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        guard let pattern = BeaconPattern(request.constraint) else { throw .invalidParameter("constraint") }
        streams.openRanging(of: app, pattern, for: NewestEventCall(call) { (report: RangingReport) in report })
    }

    func startMonitoringRegion(
        _ call: Call<StartMonitoringRegion>, _ request: StartMonitoringRegion.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        try check(request.region)
        streams.startMonitoring(.circle(request.region), of: app, wake: request.wake) { call.reply(orFail: $0) }
    }

    func startMonitoringBeaconRegion(
        _ call: Call<StartMonitoringBeaconRegion>, _ request: StartMonitoringBeaconRegion.Parameters,
        _ app: ConnectedApp
    ) throws(VarlinkError) {
        try checkIdentifier(request.region.identifier)
        guard BeaconPattern(request.region.constraint) != nil else { throw .invalidParameter("region") }
        streams.startMonitoring(.beacons(request.region), of: app, wake: request.wake) { call.reply(orFail: $0) }
    }

    func stopMonitoringRegion(_ call: Call<StopMonitoringRegion>, _ request: RegionScope, _ app: ConnectedApp) {
        streams.stopMonitoring(request.identifier, of: app) { call.reply(orFail: $0) }
    }

    func listRegions(_ call: Call<ListRegions>, _: Nothing, _ app: ConnectedApp) {
        let regions = streams.regions(of: app)
        let beacons = regions.compactMap(\.beacons)
        call.reply(
            ListRegions.Reply(
                regions: regions.compactMap(\.circle), beaconRegions: beacons.isEmpty ? nil : beacons))
    }

    func getRegionState(_ call: Call<GetRegionState>, _ request: RegionScope, _ app: ConnectedApp) throws(VarlinkError)
    {
        do throws(LocationFailure) {
            let state = try streams.state(ofRegion: request.identifier, of: app, on: call.connection)
            guard let state else { return call.fail(.invalidParameter("identifier")) }
            call.reply(GetRegionState.Reply(state: state))
        } catch {
            call.fail(error)
        }
    }

    private func checkIdentifier(_ identifier: String) throws(VarlinkError) {
        guard (1...CircularRegion.maximumIdentifierLength).contains(identifier.utf8.count),
            !identifier.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalidParameter("region.identifier") }
    }

    private func check(_ region: CircularRegion) throws(VarlinkError) {
        try checkIdentifier(region.identifier)
        guard (-90...90).contains(region.latitude) else { throw .invalidParameter("region.latitude") }
        guard (-180...180).contains(region.longitude) else { throw .invalidParameter("region.longitude") }
        guard CircularRegion.radii.contains(region.radius) else { throw .invalidParameter("region.radius") }
    }
}

extension Call where Method: LocationMethod, Method.Reply == Nothing {
    /// Replies, or fails with `failure` if there is one.
    fileprivate func reply(orFail failure: LocationFailure?) {
        if let failure { fail(failure) } else { reply(Nothing()) }
    }
}
