internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The time without a fix in words: its duration and its reason.
enum FixSearchText {
    /// The signal strength that a receiver usually needs to read a satellite's orbit, in dB-Hz.
    private static let strengthForFix = 30.0
    private static let satellitesForFix = 4

    /// Returns a sentence for a program that has had no location yet.
    static func sentence(_ state: DashboardState, at time: Double) -> String {
        let reason = state.management == .open ? reason(state) : ""
        guard let time = state.secondsWithoutLocation(at: time).map({ duration($0) }) else {
            // Translators: A fix is a position that a receiver has computed. The reason is a part of a sentence.
            return reason.isEmpty
                ? translated("Waiting for a fix.") : translated("Waiting for a fix: {reason}.", ["reason": reason])
        }
        return reason.isEmpty
            // Translators: The duration of the waiting is like "1 min 10 s".
            ? translated("Waiting for a fix, {duration}.", ["duration": time])
            : translated("Waiting for a fix, {duration}: {reason}.", ["duration": time, "reason": reason])
    }

    /// Returns a duration with its two largest units or, from ten minutes on, one: `43 s`, `1 min 10 s`, `12 min`.
    static func duration(_ seconds: Double) -> String {
        let seconds = Int(min(max(0, seconds), 1e9))
        switch seconds {
        case ..<60: return DurationText.seconds(seconds)
        case ..<600 where seconds % 60 > 0: return DurationText.minutes(seconds / 60, seconds: seconds % 60)
        case ..<7200: return DurationText.minutes(seconds / 60)
        case ..<172_800: return DurationText.hours(seconds / 3600)
        default: return DurationText.days(seconds / 86400)
        }
    }

    /// Returns the interval between changes of a duration's text, in seconds.
    static func changeInterval(_ seconds: Double) -> Double { seconds < 600 ? 1 : 20 }

    private static func reason(_ state: DashboardState) -> String {
        guard !state.receivers.isEmpty else {
            // Translators: A reason after "Waiting for a fix: ".
            return translated("no receiver is plugged in, and none is configured")
        }
        // Translators: A reason after "Waiting for a fix: ".
        guard let receiver = candidate(state.receivers) else { return translated("no receiver is open") }
        let name = DisplayText.shortened(DisplayText.shown(receiver.name), columns: 30)
        switch receiver.state {
        // Translators: Nothing arrives from the receiver any more, or it was unplugged.
        case .lost: return translated("{receiver} is lost", ["receiver": name])
        case .connecting: return translated("{receiver} is being opened", ["receiver": name])
        // Translators: A recording is at its end.
        case .ended: return translated("{receiver} has ended", ["receiver": name])
        case .stopped, .resting: return translated("no receiver is open")
        case .searching, .running: break
        }
        switch receiver.condition {
        case .noSatellites: return translated("no satellite seen; a first fix needs open sky")
        case .noFix, nil: return satellites(receiver, state)
        default: return translated("{label}: {value}", ["label": name, "value": ReceiverText.condition(receiver)])
        }
    }

    /// Returns the receiver that may be the first to produce a fix.
    private static func candidate(_ receivers: [ReceiverSummary]) -> ReceiverSummary? {
        let order: [ReceiverStatus] = [.running, .searching, .connecting, .lost, .ended]
        return order.lazy.compactMap { status in receivers.first { $0.state == status } }.first
    }

    /// Returns the number of satellites that the receiver sees, and the missing condition for a fix.
    private static func satellites(_ receiver: ReceiverSummary, _ state: DashboardState) -> String {
        let list = state.satellites.first { $0.receiver == receiver.name }?.satellites ?? []
        let count = list.isEmpty ? receiver.satellitesInView ?? 0 : list.count
        guard count > 0 else { return "" }
        let seen = translated("{count} satellite seen", plural: "{count} satellites seen", count: count)
        let strengths = list.compactMap(\.signalStrength).filter(\.isFinite)
        guard let strongest = strengths.max().map({ Decimal.text($0, digits: 0) }) else { return seen }
        let strong = strengths.count { $0 >= strengthForFix }
        return strong >= satellitesForFix
            ? translated(
                // Translators: {seen} is like "5 satellites seen". dB-Hz is the unit of a signal's strength.
                """
                {seen}, the strongest {strength} dB-Hz; that is enough, and takes up to 15 minutes after a long time off
                """, ["seen": seen, "strength": strongest])
            : translated(
                // Translators: {seen} is like "5 satellites seen". {needed} satellites, each with {level} dB-Hz.
                """
                {seen}, the strongest {strength} dB-Hz; a first fix needs {needed} of about {level} or more, under \
                open sky
                """,
                [
                    "seen": seen, "strength": strongest, "needed": "\(satellitesForFix)",
                    "level": "\(Int(strengthForFix))",
                ])
    }
}
