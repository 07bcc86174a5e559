internal import LocationModel
internal import NIOCore
internal import Positioning
internal import ReceiverSettings
internal import Receivers

extension ReceiverControl {
    /// The demand on the receivers' settings: the interval of the plan or, if every fix is required, of the apps. A
    /// receiver whose port is closed between fixes has its normal interval: it would keep its first fix back.
    var demand: ReceiverDemand {
        var demand = appDemand
        if selection.plan != .continuous {
            demand.interval = selection.interval.flatMap { $0 < DutyCycle.closingInterval ? $0 : nil }
        }
        return demand
    }

    /// A Boolean value indicating whether any receiver's settings depend on the apps.
    var followsApps: Bool { members.contains { $0.receiver.profile?.followsApps == true } }

    /// The greatest error of a clock that the kernel still calls synchronized, in seconds (adjtimex(2),
    /// NTP_PHASE_LIMIT).
    private static let clockAccuracy = 16

    /// Returns the help for a receiver's first fix: the time, if the machine's clock is known to be synchronized, and
    /// the cell of the last fix, unless that was doubtful; before the first fix, the last location of apps with reduced
    /// accuracy, from before a restart.
    ///
    /// Attack: a false signal sets the clock by a receiver, and the clock then confirms the signal to the receiver. So
    /// a daemon that passes on its receivers' time gives them none.
    func firstFixHelp(passesTime: Bool) -> FirstFixHelp {
        var help = FirstFixHelp()
        if !passesTime, synchronization?.isSynchronized == true {
            help.time = FirstFixHelp.Time(clock(), accuracy: Self.clockAccuracy)
        }
        let isRecording = members.contains { $0.id == selection.lastCounted && $0.receiver.isRecording }
        if let lastFix, !isSimulating, !isRecording, lastFix.fix.location.doubts == nil {
            let location = lastFix.fix.location
            help.position = FirstFixHelp.Position(
                latitude: location.latitude, longitude: location.longitude, altitude: location.altitude,
                age: Double(age(of: lastFix).nanoseconds) / 1e9)
        } else if lastFix == nil, !isSimulating, synchronization?.isSynchronized == true, let cell = lastCell(),
            !cell.simulated
        {
            help.position = FirstFixHelp.Position(reduced: cell, at: clock())
        }
        return help
    }
}
