public import LocationModel
public import NIOCore
public import TimeTransfer

/// The object that handles what a started receiver reports. It is called on the event loop, and may stop the receiver.
public protocol ReceiverDelegate: AnyObject {
    /// The receiver produces fixes. Called before the first fix after `start()` and before the first fix after each
    /// loss.
    func receiverWasFound(_ receiver: Receiver)
    /// Returns what speaks against a fix that the receiver has just produced, or `nil` if nothing does. Called before
    /// everything else about the fix, which arrived at `now` by the event loop's clock.
    func receiver(_ receiver: Receiver, judge fix: Fix, at now: NIODeadline) -> FixDoubts?
    /// The receiver has reported an epoch without a fix, or nothing of a fix for some time although it sends.
    func receiverFoundNoFix(_ receiver: Receiver)
    /// The receiver has reported an epoch, which has just arrived.
    ///
    /// An update without a fix comes only while something besides fixes is wanted: with each epoch if the
    /// receiver says that it has none, or if it has sent nothing else for as long as silence would count as a loss.
    func receiver(_ receiver: Receiver, didReport update: ReceiverUpdate)
    /// The first byte of the epoch of the fix before has arrived then; `nil` if its arrival is not known. Only from a
    /// receiver at a serial port that was created with a wall clock.
    func receiver(_ receiver: Receiver, didTimeEpoch arrival: EpochArrival?)
    /// The receiver has reported the direction the device points in, from a compass on the same port: once per
    /// sentence that contains it, so up to tens of times per second. It may precede the first fix: a compass needs no
    /// view of the sky.
    func receiver(_ receiver: Receiver, didReport heading: LocationModel.Heading)
    /// The receiver has sent bytes. Only while ``ReceiverReportContents/bytes`` are wanted.
    func receiver(_ receiver: Receiver, didReceive bytes: ReceivedBytes)
    /// The reason why there is no fix, or why the fixes are unusual, has changed.
    func receiver(_ receiver: Receiver, didChange diagnosis: ReceiverDiagnosis)
    /// The receiver stopped producing fixes, or could not be opened. Called once per `start()` or
    /// `receiverWasFound(_:)`, however often the receiver is retried. A later reason is in `Receiver.state`.
    func receiver(_ receiver: Receiver, wasLost failure: ReceiverFailure)
}
