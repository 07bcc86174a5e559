import LocationModel
import NIOCore
import Receivers
import TimeTransfer

/// A call of a receiver's delegate, as a value.
enum ReceiverEvent: Sendable, Equatable {
    case found
    case fix(Fix)
    case noFix
    case arrival(EpochArrival?)
    case heading(LocationModel.Heading)
    case condition(ReceiverDiagnosis)
    case lost(ReceiverFailure)

    var fix: Fix? { if case .fix(let fix) = self { fix } else { nil } }
    var heading: Heading? { if case .heading(let heading) = self { heading } else { nil } }
    var failure: ReceiverFailure? { if case .lost(let failure) = self { failure } else { nil } }
}

/// A delegate that passes on every call as an event. To be retained while the receiver is started.
final class EventHandler: ReceiverDelegate {
    var onEvent: (ReceiverEvent) -> Void
    /// Called with each update, before its event.
    var onUpdate: (ReceiverUpdate) -> Void = { _ in }

    init(_ onEvent: @escaping (ReceiverEvent) -> Void = { _ in }) {
        self.onEvent = onEvent
    }

    func receiverWasFound(_: Receiver) { onEvent(.found) }

    func receiver(_: Receiver, didReport update: ReceiverUpdate) {
        onUpdate(update)
        onEvent(update.fix.map(ReceiverEvent.fix) ?? .noFix)
    }

    func receiver(_: Receiver, didTimeEpoch arrival: EpochArrival?) { onEvent(.arrival(arrival)) }
    func receiver(_: Receiver, didReport heading: LocationModel.Heading) { onEvent(.heading(heading)) }
    func receiver(_: Receiver, didChange diagnosis: ReceiverDiagnosis) { onEvent(.condition(diagnosis)) }
    func receiver(_: Receiver, didReceive _: ReceivedBytes) {}
    func receiver(_: Receiver, judge _: Fix, at _: NIODeadline) -> FixDoubts? { nil }

    func receiverFoundNoFix(_: Receiver) {}

    func receiver(_: Receiver, wasLost failure: ReceiverFailure) { onEvent(.lost(failure)) }
}

extension [ReceiverEvent] {
    /// Returns the fixes among the events, or `nil` if there are fewer than `count`.
    func fixes(_ count: Int) -> [Fix]? {
        let fixes = compactMap(\.fix)
        return fixes.count >= count ? fixes : nil
    }

    /// Returns the headings among the events, or `nil` if there are fewer than `count`.
    func headings(_ count: Int) -> [Heading]? {
        let headings = compactMap(\.heading)
        return headings.count >= count ? headings : nil
    }
}
