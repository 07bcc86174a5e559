package import LocationModel

/// The receiving end of a subscription that wants more than locations.
///
/// The reports come only while the app has full accuracy. ``SubscriptionOptions/reportContents`` says what is in them.
package protocol ReportSubscriber: LocationSubscriber {
    /// A Boolean value indicating whether the client is sent headings. Others are neither received nor counted.
    var wantsHeadings: Bool { get }
    /// Returns whether the client is sent that this receiver has no fix. Other reports are neither received nor
    /// counted.
    func wantsReport(withoutFixOf receiver: String) -> Bool
    /// Receives a location together with the receiver's report on the same epoch.
    ///
    /// - Parameter publication: The publication that both are from. All who get the same location get the same one.
    func receive(
        _ location: borrowing Counted<Location>, with report: borrowing Counted<ReceiverReport>,
        of publication: Publication)
    /// Receives the report of a receiver that has no fix now.
    func receive(_ report: borrowing Counted<ReceiverReport>)
    /// Receives a heading.
    func receive(_ heading: borrowing Counted<Heading>)
}
