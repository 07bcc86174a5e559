public import ArgumentParser
public import LocationModel
internal import LocationProtocol

/// The options of a subscription.
struct SubscriptionArguments: ParsableArguments {
    static let accuracies =
        "The accuracy to aim for, which decides how hard the receivers work: "
        + DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", ") + "."

    @Option(help: ArgumentHelp(accuracies, valueName: "accuracy"))
    var desiredAccuracy: DesiredAccuracy?
    @Option(help: ArgumentHelp("The minimum distance from the last printed location, in metres.", valueName: "m"))
    var distanceFilter: Double?
    @Option(
        name: .customLong("activity"),
        help: ArgumentHelp(
            "The kind of movement: " + ActivityType.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "activity"))
    var activityType: ActivityType?
    @Option(help: ArgumentHelp("The minimum time between two locations, in seconds.", valueName: "s"))
    var minimumInterval: Double?
    @Flag(help: "Do not pause while the device is stationary.")
    var noPauses = false
    @Flag(help: "Continue in the background, if the stream began in use.")
    var background = false
    @Flag(help: "With --background and an always grant: show the app as active in the indicator.")
    var backgroundIndicator = false

    func validate() throws {
        if let distance = distanceFilter, !(distance >= 0 && distance.isFinite) {
            throw ValidationError("--distance-filter must be 0 m or more")
        }
        if let seconds = minimumInterval, !(seconds >= 0 && seconds.isFinite) {
            throw ValidationError("--minimum-interval must be 0 s or more")
        }
        if backgroundIndicator, !background {
            throw ValidationError("--background-indicator needs --background")
        }
    }

    /// The options as the method expects them.
    var options: Options {
        var options = Options()
        options.desiredAccuracy = desiredAccuracy
        options.distanceFilter = distanceFilter
        options.activityType = activityType
        options.minimumInterval = minimumInterval
        if noPauses { options.pausesAutomatically = false }
        if background { options.allowsBackground = true }
        if backgroundIndicator { options.showsBackgroundIndicator = true }
        return options
    }

    /// The first of these options that was given, as written on the command line, or `nil` if none was.
    var firstGiven: String? {
        if desiredAccuracy != nil { return "--desired-accuracy" }
        if distanceFilter != nil { return "--distance-filter" }
        if activityType != nil { return "--activity" }
        if minimumInterval != nil { return "--minimum-interval" }
        if noPauses { return "--no-pauses" }
        return background ? "--background" : nil
    }
}

extension DesiredAccuracy: ExpressibleByArgument {}
extension ActivityType: ExpressibleByArgument {}
