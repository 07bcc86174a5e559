internal import LocationProtocol

extension GetServices.Reply {
    /// The state of location services for a user, worded as the end of a sentence.
    var text: String {
        if !machine { return "off for the whole machine" }
        if user { return "on" }
        return desktop == false
            ? "off for this user, by the desktop's own switch: turn it on in the desktop's settings"
            : "off for this user"
    }
}
