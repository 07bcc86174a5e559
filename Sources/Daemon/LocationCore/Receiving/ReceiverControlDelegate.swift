internal import LocationModel
internal import NIOCore
internal import Receivers

/// Publishes the receivers' reports.
protocol ReceiverControlDelegate: AnyObject {
    /// Publishes a fix that counts, with its arrival by a clock that runs while the machine sleeps.
    func publish(_ publication: Publication, receivedAt: NIODeadline)
    /// Publishes that a receiver has no fix, while that is requested and no receiver has a fix.
    func publish(withoutFix update: ReceiverUpdate)
    /// Handles that a receiver searches in vain, whether or not reports of that are requested.
    func receiverFoundNoFix()
    /// Publishes a heading of any receiver.
    func publish(_ heading: Heading)
    /// Publishes the bytes of any receiver, while they are wanted.
    func publish(_ bytes: ReceivedBytes)
    /// Publishes that receivers have become available or unavailable while there is a demand for that accuracy;
    /// `true` if one produces fixes.
    func publish(availability isAvailable: Bool, to accuracy: AccuracyAuthorization)
}

extension ReceiverControlDelegate {
    func receiverFoundNoFix() {}
}
