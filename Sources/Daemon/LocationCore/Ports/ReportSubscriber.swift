package import LocationModel
package import Receivers

/// The receiving end of a subscription that wants more than locations.
///
/// Reports come only while the app has full accuracy; a report on a location's epoch comes with the location.
/// ``SubscriptionOptions/reportContents`` lists their contents.
package protocol ReportSubscriber: LocationSubscriber {
    /// A Boolean value indicating whether the client is sent headings. Otherwise, none is received or counted.
    var wantsHeadings: Bool { get }
    /// Returns whether the client is notified that this receiver has no fix. Other reports are neither received nor
    /// counted.
    func wantsReport(withoutFixOf receiver: String) -> Bool
    /// Receives the report of a receiver that has no fix now.
    func receive(withoutFix report: borrowing Counted<ReceiverUpdate>)
    /// Receives a heading.
    func receive(_ heading: borrowing Counted<Heading>)
    /// Returns whether the client is sent the bytes of this receiver. Called only if bytes are among the contents.
    func wantsBytes(of receiver: String) -> Bool
    /// Receives bytes that a receiver has sent.
    func receive(_ bytes: borrowing Counted<ReceivedBytes>)
}

extension ReportSubscriber {
    package func wantsBytes(of receiver: String) -> Bool { false }

    package func receive(_ bytes: borrowing Counted<ReceivedBytes>) {}
}
