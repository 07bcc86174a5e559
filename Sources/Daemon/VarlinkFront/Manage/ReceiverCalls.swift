internal import Beacons
internal import Devices
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import NMEA
internal import Positioning
internal import ReceiverSettings
internal import Receivers
internal import Surroundings
internal import Varlink

/// The calls about the receivers, and about the simulation that replaces them.
struct ReceiverCalls {
    let receivers: ReceiverControl
    let beacons: BeaconRanging
    let surroundings: Surroundings
    let managers: Managers
    let observers: ListObservers
    let loop: any EventLoop
    let clock: () -> Timestamp

    func list(
        _ call: Call<ListReceivers>, _ request: ListReceivers.Parameters, _ manager: ManagementAccess.Manager
    ) {
        if request.forOthers == true { return list(call, for: manager.asOther) }
        if manager.seesMovement { return list(call, for: manager) }
        let areDetailsNeeded = request.details == true
        managers.authorize(
            .manage, for: call.connection,
            mayAskUser: areDetailsNeeded && request.allowInteractiveAuthentication ?? true
        ) { refusal in
            guard !call.isEnded else { return }
            if areDetailsNeeded, let refusal { return call.fail(VarlinkError(refusal, .manage)) }
            list(call, for: refusal == nil ? manager.asManager : manager)
        }
    }

    private func list(_ call: Call<ListReceivers>, for manager: ManagementAccess.Manager) {
        observers.show(call, about: .receivers) {
            var reply = ListReceivers.Reply(receivers: receivers.members.map { summary($0, for: manager) })
            if manager.seesMovement { reply.beacons = beacons.unavailability(forAppsOf: manager.manages) }
            return reply
        }
    }

    func listSatellites(_ call: Call<ListSatellites>, _: Nothing, _ manager: ManagementAccess.Manager) {
        observers.show(call, about: .receivers) {
            let isHidden = hidesActivity(from: manager)
            return ListSatellites.Reply(
                receivers: receivers.receivers.map {
                    ReceiverSatellites(receiver: $0.name, satellites: isHidden ? [] : $0.status.satellites)
                })
        }
    }

    /// Returns whether a manager may not know when the receivers are open.
    ///
    /// Attack: the times between two fixes reveal how far away another user's region is.
    private func hidesActivity(from manager: ManagementAccess.Manager) -> Bool {
        receivers.revealsRegions && !manager.isAdministrator
    }

    func simulate(
        _ call: Call<Simulate>, _ request: Simulate.Parameters, _: ManagementAccess.Manager
    ) throws(VarlinkError) {
        do throws(ReceiverFailure) {
            let simulated = try request.beacons.map(simulatedBeacons)
            var simulation: Simulation?
            switch (request.latitude, request.longitude, request.route) {
            case (let latitude?, let longitude?, nil):
                simulation = try Simulation(latitude: latitude, longitude: longitude)
            case (nil, nil, let route?): simulation = try Simulation(gpx: route, speed: request.speed)
            case (nil, nil, nil) where simulated != nil: break
            default:
                throw ReceiverFailure(.unusable, "a place (latitude and longitude) or a route is needed, and not both")
            }
            if let simulation {
                receivers.simulate(
                    Receiver(simulation, name: "simulation", on: loop, seed: .random(in: 0 ... .max), clock: clock))
                surroundings.receiversChanged()
            }
            if let simulated { beacons.simulate(simulated) }
            call.reply(Nothing())
        } catch {
            throw .manage(.simulationRefused(reason: error.message))
        }
    }

    private func simulatedBeacons(_ list: [BeaconSimulation]) throws(ReceiverFailure) -> [SimulatedBeacon] {
        guard list.count <= SimulatedBeacon.maximumCount else {
            throw ReceiverFailure(.unusable, "there are more than \(SimulatedBeacon.maximumCount) beacons")
        }
        return try list.map { beacon throws(ReceiverFailure) in
            let constraint = BeaconConstraint(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor)
            guard let simulated = SimulatedBeacon(constraint, distance: beacon.distance) else {
                throw ReceiverFailure(
                    .unusable, "a beacon needs a UUID, two numbers of 0 to 65535, and a distance of 0.1 to 200 m")
            }
            return simulated
        }
    }

    func stopSimulation(_ call: Call<StopSimulation>, _: Nothing, _: ManagementAccess.Manager) {
        receivers.simulate(nil)
        beacons.simulate([])
        surroundings.receiversChanged()
        call.reply(Nothing())
    }

    /// Returns a receiver's specification. For a fixed place, leaves the coordinates out.
    ///
    /// Attack: any program of a user at the machine lists the receivers, and learns the place of a machine that does
    /// not move without a grant.
    private func specification(of receiver: Receiver, for manager: ManagementAccess.Manager) -> String {
        if receiver.specification.isFixedPlace, !manager.isManager { return receiver.specification.name }
        return receiver.specification.description
    }

    private func summary(_ member: ReceiverControl.Member, for manager: ManagementAccess.Manager) -> ReceiverSummary {
        guard manager.seesMovement else { return summaryForAll(member, for: manager) }
        let (receiver, source) = (member.receiver, member.receiver.status)
        let isHidden = hidesActivity(from: manager)
        let state = isHidden ? member.failure.map { .lost($0) } ?? .stopped : receiver.state
        var summary = ReceiverSummary(
            name: receiver.name, specification: specification(of: receiver, for: manager),
            state: (isHidden || receivers.isPortClosedBetweenFixes) && state == .stopped
                ? .resting : ReceiverStatus(state),
            fixes: manager.isAdministrator ? source.statistics.fixes : member.shownToAll.count)
        if case .lost(let failure) = state { summary.message = failure.message }
        let last = manager.isAdministrator ? member.lastFix : member.shownToAll.last
        if let last {
            summary.add(last.fix, age: Double(receivers.age(of: last).nanoseconds) / 1e9, clock())
        }
        summary.port = receiver.port?.node
        summary.compass = receiver.hasCompass ?? false
        if isHidden { return summary }
        summary.addPort(of: source)
        summary.inUse = receivers.choice.current == member.id
        if summary.inUse { summary.choice = receivers.choice.reason }
        if manager.isAdministrator, case .every(let seconds, _) = receivers.plan { summary.interval = seconds }
        if manager.isAdministrator, summary.state == .resting {
            summary.stillness = surroundings.evidence.map(StillnessReport.init)
        }
        summary.progress = source.progress
        summary.jamming = source.jamming.map(JammingReport.init)
        summary.spoofing = source.spoofing.map(SpoofingReport.init)
        summary.addGuarantees(of: source)
        summary.addCorrections(of: source, at: last?.fix.location, now: loop.now)
        if manager.isAdministrator || receiver.profile?.followsApps != true { summary.addSettings(of: source) }
        if manager.isAdministrator { summary.addFirstFixes(of: source) }
        summary.doubts = member.doubts
        summary.dropped = DroppedInput.of(source.statistics)
        summary.epochs = source.statistics.nmea.map { Int(clamping: $0.epochs &+ $0.epochsWithoutFix) }
        summary.losses = member.losses
        summary.add(source.diagnosis)
        return summary
    }
}

extension ReceiverCalls {
    /// Returns the part of a summary that changes neither with the sky nor with movement.
    ///
    /// Attack: a paused app, whose receiver's port is closed between two fixes, reveals that the device stands. So a
    /// port that is needed counts as open, and what is known of an open port only is left out.
    private func summaryForAll(
        _ member: ReceiverControl.Member, for manager: ManagementAccess.Manager
    ) -> ReceiverSummary {
        let receiver = member.receiver
        let isHidden = hidesActivity(from: manager)
        let state = isHidden ? member.failure.map { .lost($0) } ?? .stopped : receiver.state
        var status = ReceiverStatus(state)
        if isHidden {
            if state == .stopped { status = .resting }
        } else if receivers.plan != .off, [.stopped, .connecting, .searching].contains(status) {
            status = .running
        }
        var summary = ReceiverSummary(
            name: receiver.name, specification: specification(of: receiver, for: manager), state: status, fixes: nil)
        if case .lost(let failure) = state { summary.message = failure.message }
        summary.port = receiver.port?.node
        if isHidden { return summary }
        let source = receiver.status
        summary.losses = member.losses
        switch source.diagnosis.condition {
        case .nothing, .unreadable, .otherProtocol, .noPosition:
            summary.condition = source.diagnosis.condition
            summary.protocolName = source.diagnosis.protocolName
        case .noSatellites, .noFix, .noDate, .undated, .fix, nil: break
        }
        return summary
    }
}

extension ReceiverSummary {
    /// Adds the serial settings and the battery, which reveal nothing about movement.
    fileprivate mutating func addPort(of source: SourceStatus) {
        baudRate = source.serialSettings?.bitsPerSecond
        framing = source.serialSettings?.framing.rawValue
        if source.isDetecting || source.serialSettings != nil { detecting = source.isDetecting }
        battery = source.battery
    }

    /// Adds the reasons why there is, or is not, a location.
    ///
    /// Attack: the number of satellites in view, and whether anything arrives, reveal when the receiver is open. The
    /// caller hides them together with that.
    fileprivate mutating func add(_ diagnosis: ReceiverDiagnosis) {
        condition = diagnosis.condition
        protocolName = diagnosis.protocolName
        satellitesInView = diagnosis.satellitesInView
        reportInterval = diagnosis.reportInterval
        datum = diagnosis.datum
        if diagnosis.sendsNoChecksums { sendsNoChecksums = true }
        if diagnosis.hasMotionOfAnotherDevice { hasMotionOfAnotherDevice = true }
        if diagnosis.sendsZeroSeparation { sendsZeroSeparation = true }
    }

    /// Adds the values from the receiver's last fix, whose age is in seconds.
    fileprivate mutating func add(_ fix: Fix, age: Double, _ wallClock: Timestamp) {
        let elapsed = wallClock.millisecondsSince1970 - fix.location.timestamp.millisecondsSince1970
        fixAge = age
        // The machine's own timestamp says nothing about its clock.
        if fix.dating == .receiver { clockOffset = Double(elapsed) / 1000 - age }
        horizontalAccuracy = fix.location.horizontalAccuracy
        satellitesUsed = fix.location.satellitesUsed
        horizontalDilution = fix.location.horizontalDilution
    }
}

extension JammingReport {
    fileprivate init(_ jamming: Jamming) {
        let level: Level? =
            switch jamming.level {
            case Jamming.Level.none?: Level.none
            case .warning?: .warning
            case .critical?: .critical
            case nil: nil
            }
        self.init(level: level, indicator: jamming.indicator.map(Int.init))
    }
}

extension SpoofingReport {
    fileprivate init(_ spoofing: Spoofing) {
        self =
            switch spoofing {
            case .none: .none
            case .indicated: .indicated
            case .affirmed: .affirmed
            }
    }
}

extension ReceiverStatus {
    fileprivate init(_ state: ReceiverState) {
        self =
            switch state {
            case .stopped: .stopped
            case .connecting: .connecting
            case .waitingForFix: .searching
            case .running: .running
            case .lost(let failure): failure.reason == .ended ? .ended : .lost
            }
    }
}
