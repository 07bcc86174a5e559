public import ArgumentParser
public import LocationModel
internal import LocationProtocol

/// The options of a subscription.
struct WishOptions: ParsableArguments {
    static let accuracies =
        "How hard the receivers work: " + DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", ") + "."

    @Option(help: ArgumentHelp(accuracies, valueName: "accuracy"))
    var desiredAccuracy: DesiredAccuracy?
    @Option(help: ArgumentHelp("Metres from the last printed location.", valueName: "m"))
    var distanceFilter: Double?
    @Option(
        name: .customLong("activity"),
        help: ArgumentHelp(
            "The kind of movement: " + ActivityType.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "activity"))
    var activityType: ActivityType?
    @Option(help: ArgumentHelp("Seconds between two locations, at least.", valueName: "s"))
    var minimumInterval: Double?
    @Flag(help: "Go on while the device is at rest, where it would pause.")
    var noPauses = false
    @Flag(help: "Go on in the background, once it has begun in use.")
    var background = false
    @Flag(help: "With --background, for an app that may always: show it in the indicator as active.")
    var backgroundIndicator = false

    func validate() throws {
        if let distance = distanceFilter, !distance.isFinite { throw ValidationError("--distance-filter is a number") }
        if let seconds = minimumInterval, !(seconds >= 0 && seconds.isFinite) {
            throw ValidationError("--minimum-interval is at least 0")
        }
        if backgroundIndicator, !background {
            throw ValidationError("--background-indicator goes with --background: in use there is nothing to indicate")
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

    /// The first of these options that was given, as on the command line, or `nil` if none was.
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
