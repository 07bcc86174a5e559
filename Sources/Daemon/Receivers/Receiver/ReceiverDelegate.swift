public import LocationModel
public import NIOCore
public import TimeTransfer

/// The object that handles a started receiver's reports. It is called on the event loop, and may stop the receiver.
public protocol ReceiverDelegate: AnyObject {
    /// The receiver produces fixes. Called before the first fix after `start()` and before the first fix after each
    /// loss.
    func receiverWasFound(_ receiver: Receiver)
    /// Returns the reasons to doubt a fix that the receiver has just produced, or `nil` if there are none. Called
    /// before anything else about the fix, which arrived at `now` by the event loop's clock.
    func receiver(_ receiver: Receiver, judge fix: Fix, at now: NIODeadline) -> FixDoubts?
    /// The receiver has reported an epoch without a fix, or has sent no position for some time, but other data.
    func receiverFoundNoFix(_ receiver: Receiver)
    /// The receiver has reported an epoch, which has just arrived.
    ///
    /// An update without a fix comes only while more than fixes is requested: with each epoch if the receiver says that
    /// it has none, or if it has sent only other data for as long as silence would count as a loss.
    func receiver(_ receiver: Receiver, didReport update: ReceiverUpdate)
    /// The arrival of the first byte of the preceding fix's epoch was measured; `nil` if it is not known. Called only
    /// for a receiver at a serial port that was created with a wall clock.
    func receiver(_ receiver: Receiver, didTimeEpoch arrival: EpochArrival?)
    /// The receiver has reported the direction that the device points in, from a compass on the same port: once per
    /// sentence that contains it, so up to tens of times per second. It may precede the first fix, because a compass
    /// needs no view of the sky.
    func receiver(_ receiver: Receiver, didReport heading: LocationModel.Heading)
    /// The receiver has sent bytes. Called only while ``ReceiverReportContents/bytes`` are requested.
    func receiver(_ receiver: Receiver, didReceive bytes: ReceivedBytes)
    /// The reason for a missing or unusual fix has changed.
    func receiver(_ receiver: Receiver, didChange diagnosis: ReceiverDiagnosis)
    /// The receiver stopped producing fixes, or could not be opened. Called once per `start()` or
    /// `receiverWasFound(_:)`, however often the receiver is retried. `Receiver.state` has a later reason.
    func receiver(_ receiver: Receiver, wasLost failure: ReceiverFailure)
}
