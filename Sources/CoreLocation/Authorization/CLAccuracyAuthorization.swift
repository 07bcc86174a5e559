/// The accuracy of the locations that an app is authorized to receive.
@nonexhaustive
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Full accuracy: locations as the receivers report them.
    case fullAccuracy = 0
    /// Reduced accuracy: an area of a few kilometres that contains the device, at most a few times an hour.
    case reducedAccuracy = 1
}
