internal import AuthorizationPolicy
internal import LocationModel
internal import Receivers

/// The reports that a subscriber is sent besides locations.
extension Subscription {
    /// Delivers the report of a receiver that has no fix, if the app may have it and its client wants it.
    func deliver(
        withoutFix update: ReceiverUpdate, under entitlement: Entitlement, through gate: Gate,
        counting deliveries: inout Deliveries
    ) {
        guard let reportSubscriber, reportSubscriber.wantsReport(withoutFixOf: update.receiver),
            let released = release(update, under: entitlement, through: gate)
        else { return }
        reportSubscriber.receive(withoutFix: deliveries.count(released))
    }

    /// Delivers a heading, if the app may have it and its client wants it.
    func deliver(
        _ heading: Heading, under entitlement: Entitlement, through gate: Gate, counting deliveries: inout Deliveries
    ) {
        guard let reportSubscriber, reportSubscriber.wantsHeadings,
            let released = release(heading, under: entitlement, through: gate)
        else { return }
        reportSubscriber.receive(deliveries.count(released))
    }

    /// Delivers the bytes of a receiver, if the app may have them and its client wants them.
    func deliver(
        _ bytes: ReceivedBytes, under entitlement: Entitlement, through gate: Gate,
        counting deliveries: inout Deliveries
    ) {
        guard let reportSubscriber, reportContents.contains(.bytes), reportSubscriber.wantsBytes(of: bytes.receiver),
            let released = release(bytes, under: entitlement, through: gate)
        else { return }
        reportSubscriber.receive(deliveries.count(released))
    }

    private func release<Detail: ReceiverDetail>(
        _ detail: Detail, under entitlement: Entitlement, through gate: Gate
    ) -> Released<Detail>? {
        gate.release(report: detail, under: entitlement, wanted: wantedAccuracy, presence: presence, terms: terms)
    }
}

/// Something that a receiver reports besides locations.
protocol ReceiverDetail {}

extension ReceiverUpdate: ReceiverDetail {}
extension ReceivedBytes: ReceiverDetail {}
extension LocationModel.Heading: ReceiverDetail {}
