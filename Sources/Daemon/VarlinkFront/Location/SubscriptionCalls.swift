internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Receivers
internal import Varlink

/// The calls for locations: a subscription, or a single location.
struct SubscriptionCalls {
    let subscriptions: Subscriptions
    let encoder: LocationEncoder

    func subscribe(_ call: Call<Subscribe>, _ request: Subscribe.Parameters, _ app: ConnectedApp) throws(VarlinkError) {
        let options = try SubscriptionOptions(request.options ?? Options())
        subscriptions.open(options, of: app, for: SubscribeCall(call, encoder: encoder))
    }

    func record(_ call: Call<Record>, _ request: Record.Parameters, _ app: ConnectedApp) throws(VarlinkError) {
        var options = SubscriptionOptions()
        options.pausesAutomatically = false
        options.reportContents = .bytes
        subscriptions.open(options, of: app, for: RecordCall(call, receiver: request.name))
    }

    func getLocation(
        _ call: Call<GetLocation>, _ request: GetLocation.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        subscriptions.request(
            request.desiredAccuracy ?? .best, timeout: try seconds(request.timeout, "timeout") ?? 10,
            maximumAge: try seconds(request.maximumAge, "maximumAge") ?? 5, of: app, for: GetLocationCall(call))
    }
}

extension SubscriptionOptions {
    /// Creates options from a caller's, and checks that they are in range.
    fileprivate init(_ options: Options) throws(VarlinkError) {
        self.init()
        if let accuracy = options.desiredAccuracy { desiredAccuracy = accuracy }
        if let distance = options.distanceFilter {
            guard distance.isFinite else { throw .invalidParameter("options.distanceFilter") }
            distanceFilter = distance
        }
        if let count = options.maximumUpdates {
            guard count >= 1 else { throw .invalidParameter("options.maximumUpdates") }
            maximumUpdates = count
        }
        minimumInterval = try seconds(options.minimumInterval, "options.minimumInterval")
        duration = try seconds(options.duration, "options.duration")
        if let activity = options.activityType { activityType = activity }
        pausesAutomatically = options.pausesAutomatically ?? true
        allowsBackground = options.allowsBackground ?? false
        showsBackgroundIndicator = options.showsBackgroundIndicator ?? false
    }
}

/// Returns a time from a caller, in seconds, limited to one year.
private func seconds(_ value: Double?, _ parameter: String) throws(VarlinkError) -> Double? {
    guard let value else { return nil }
    guard value >= 0, value.isFinite else { throw .invalidParameter(parameter) }
    return min(value, 365 * 86_400)
}
