internal import AuthorizationPolicy
internal import Bus
internal import LocationModel

/// An action in response to a call or an event. Actions are performed in order.
enum Action: Equatable {
    /// Replies to the call.
    case reply([BusValue])
    /// Replies to the call with an error.
    case fail(BusError)
    /// Sends a signal to one connection.
    case signal(BusSignal, to: ConnectionID)
    /// Sends a signal to all connections.
    ///
    /// Attack: any process on the bus listens to the signals of others, granted or not. So only the manager's two
    /// properties, which reveal neither an app nor a place, are announced.
    case announce(BusSignal)
    /// Prompts the user about the app of a client.
    case prompt(ClientID, PromptRequest)
    /// Withdraws the pending prompt of a client, if there is one.
    case cancelPrompt(ClientID)
    /// Opens the subscription of a client, replacing an open one.
    case subscribe(ClientID, DesiredAccuracy)
    /// Closes the subscription of a client, if one is open.
    case unsubscribe(ClientID)
    /// Reads an agent's MaxAccuracyLevel.
    case queryAgent(ConnectionID)
    /// Limits the access of the apps of an agent's user. `nil` ends the limit.
    case setDesktopLimit(DesktopLimit?, agent: AppKey)
}

extension BusSignal {
    /// Returns the signal that reports changed properties.
    static func changed(_ properties: [PropertyValue], of interface: InterfaceDefinition, at path: ObjectPath)
        -> BusSignal
    {
        BusSignal(
            path: path.text, interface: InterfaceDefinition.properties.name, member: "PropertiesChanged",
            arguments: [.string(interface.name), .properties(properties), .strings([])])
    }
}

/// A request for the user's decision.
struct PromptRequest: Equatable {
    let level: RequestedLevel
    /// The app's own words, which the prompt marks as such.
    let ownWords: String
    let prefersReducedAccuracy: Bool
}
