internal import JSON
internal import LocationCore
internal import LocationModel
internal import NIOCore
internal import Receivers

/// Encodes each epoch and each heading once for all clients that receive it. Confined to the event loop.
final class EpochEncoder {
    private let devices: () -> DeviceList
    /// The last publication, and the last report of a receiver without a fix, with their messages.
    private var publication: (of: Publication, messages: EpochMessages)?
    private var report: (of: ReceiverUpdate, messages: EpochMessages)?
    /// The last location with full accuracy, for the climb of the next one.
    private var lastFull: Location?
    private var heading: (of: Heading, line: ByteBuffer)?

    /// Creates an encoder.
    ///
    /// - Parameter devices: Returns the present devices.
    init(devices: @escaping () -> DeviceList) {
        self.devices = devices
    }

    /// Returns the messages of a publication that has been released and counted.
    ///
    /// A reduced location does not name its receiver, and is shown as the first device's.
    func messages(_ publication: borrowing Counted<Publication>) -> EpochMessages {
        if let known = self.publication, known.of === publication.value { return known.messages }
        let location = publication.location
        let isReduced = publication.accuracy == .reduced
        let messages = EpochMessages(
            location, report: publication.report, isReduced: isReduced,
            device: devices().path(ofReceiver: location.receiver),
            climb: isReduced ? nil : lastFull.flatMap { Climb(from: $0, to: location) })
        if !isReduced { lastFull = location }
        self.publication = (publication.value, messages)
        return messages
    }

    /// Returns the messages of a receiver that has no fix.
    func messages(withoutFix report: borrowing Counted<ReceiverUpdate>) -> EpochMessages {
        if let known = self.report, known.of === report.value { return known.messages }
        let messages = EpochMessages(
            withoutFix: report.value, device: devices().path(ofReceiver: report.value.receiver))
        self.report = (report.value, messages)
        return messages
    }

    /// The path of the device that produces headings, or `nil` if there are several devices.
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
}
