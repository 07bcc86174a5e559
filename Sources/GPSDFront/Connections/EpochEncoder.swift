internal import JSON
internal import LocationCore
internal import LocationModel
internal import NIOCore

/// An encoder that encodes each epoch and each heading once for all clients that get it. Confined to the event loop.
final class EpochEncoder {
    private let devices: () -> DeviceList
    private var publication: Publication?
    /// The messages of the last publication, without and with the receiver's report.
    private var plain: EpochMessages?
    private var detailed: EpochMessages?
    private var report: (of: ReceiverReport, messages: EpochMessages)?
    private var heading: (of: Heading, line: ByteBuffer)?

    /// - Parameter devices: Returns the present devices.
    init(devices: @escaping () -> DeviceList) {
        self.devices = devices
    }

    /// Returns the messages of a location of `publication`, after its release and its count.
    func messages(_ location: borrowing Counted<Location>, of publication: Publication) -> EpochMessages {
        follow(publication)
        if let plain { return plain }
        let messages = messages(of: location.value, nil, publication)
        plain = messages
        return messages
    }

    /// Returns the messages of a location and of the receiver's report on the same epoch.
    func messages(
        _ location: borrowing Counted<Location>, with report: borrowing Counted<ReceiverReport>,
        of publication: Publication
    ) -> EpochMessages {
        follow(publication)
        if let detailed { return detailed }
        let messages = messages(of: location.value, report.value, publication)
        detailed = messages
        return messages
    }

    /// Returns the messages of a receiver that has no fix.
    func messages(withoutFix report: borrowing Counted<ReceiverReport>) -> EpochMessages {
        if let known = self.report, known.of === report.value { return known.messages }
        let messages = EpochMessages(
            withoutFix: report.value, device: devices().path(ofReceiver: report.value.receiver))
        self.report = (report.value, messages)
        return messages
    }

    /// The path of the device that headings are from, or `nil` if there are several.
    var headingDevice: String? {
        let present = devices().devices
        return present.count == 1 ? present[0].path : nil
    }

    /// Returns the line of a heading.
    func attitude(_ heading: borrowing Counted<Heading>) -> ByteBuffer {
        if let known = self.heading, known.of == heading.value { return known.line }
        let (value, device) = (heading.value, headingDevice)
        let line = ByteBuffer(line: { $0.attitude(value, device: device) })
        self.heading = (value, line)
        return line
    }

    private func follow(_ publication: Publication) {
        guard publication !== self.publication else { return }
        self.publication = publication
        plain = nil
        detailed = nil
    }

    /// A reduced location does not name its receiver, and is shown as the first device's.
    private func messages(
        of location: Location, _ report: ReceiverReport?, _ publication: Publication
    ) -> EpochMessages {
        EpochMessages(
            location, report: report, isReduced: publication.accuracy == .reduced,
            device: devices().path(ofReceiver: location.receiver))
    }
}
