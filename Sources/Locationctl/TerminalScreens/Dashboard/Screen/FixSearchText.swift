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
        let since = state.secondsWithoutLocation(at: time).map { ", " + duration($0) } ?? ""
        let reason = state.management == .open ? reason(state) : ""
        return "Waiting for a fix\(since)" + (reason.isEmpty ? "." : ": \(reason).")
    }

    /// Returns a duration with its two largest units or, from ten minutes on, one: `43 s`, `1 min 10 s`, `12 min`.
    static func duration(_ seconds: Double) -> String {
        let seconds = Int(min(max(0, seconds), 1e9))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<600: return "\(seconds / 60) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "")
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86400) days"
        }
    }

    /// Returns the interval between changes of a duration's text, in seconds.
    static func changeInterval(_ seconds: Double) -> Double { seconds < 600 ? 1 : 20 }

    private static func reason(_ state: DashboardState) -> String {
        guard !state.receivers.isEmpty else { return "no receiver is plugged in, and none is configured" }
        guard let receiver = candidate(state.receivers) else { return "no receiver is open" }
        let name = DisplayText.shortened(DisplayText.shown(receiver.name), columns: 30)
        switch receiver.state {
        case .lost: return "\(name) is lost"
        case .connecting: return "\(name) is being opened"
        case .ended: return "\(name) has ended"
        case .stopped, .resting: return "no receiver is open"
        case .searching, .running: break
        }
        switch receiver.condition {
        case .noSatellites: return "no satellite seen; a first fix needs open sky"
        case .noFix, nil: return satellites(receiver, state)
        default: return "\(name): " + ReceiverText.condition(receiver)
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
        var text = "\(count) \(count == 1 ? "satellite" : "satellites") seen"
        let strengths = list.compactMap(\.signalStrength).filter(\.isFinite)
        guard let strongest = strengths.max() else { return text }
        text += ", the strongest \(Decimal.text(strongest, digits: 0)) dB-Hz"
        let strong = strengths.count { $0 >= strengthForFix }
        return strong >= satellitesForFix
            ? text + "; that is enough, and takes up to 15 minutes after a long time off"
            : text + "; a first fix needs \(satellitesForFix) of about \(Int(strengthForFix)) or more, under open sky"
    }
}
