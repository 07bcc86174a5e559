/// Why an app is not started through its socket: what is wrong, and what to do about it.
struct WakeRefusal: Error, Equatable, CustomStringConvertible {
    let description: String
}
