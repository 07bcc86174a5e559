/// How exactly an app may know where the device is.
@nonexhaustive
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As exactly as the receivers tell.
    case fullAccuracy = 0
    /// The area of some kilometres that the device is in, a few times an hour.
    case reducedAccuracy = 1
}
