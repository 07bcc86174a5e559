public import ArgumentParser
internal import LocationProtocol
public import Positioning

/// What a subscription wants, as options.
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

    var options: Options {
        var options = Options()
        options.desiredAccuracy = desiredAccuracy
        options.distanceFilter = distanceFilter
        options.activityType = activityType
        return options
    }
}

extension DesiredAccuracy: ExpressibleByArgument {}
extension ActivityType: ExpressibleByArgument {}
