extension BusConnection {
    /// The owner of a name, or the reason why there is none.
    package enum ServiceOwner {
        /// The unique name of its connection.
        case found(String)
        /// The reason, for users.
        case absent(String)
    }

    /// Calls `body` with the owner of the name of a service, which the bus starts if it does not run. Calls of the
    /// service go to that connection: a reply of another one would not count.
    package func findOwner(ofStarted service: String, _ body: @escaping (ServiceOwner) -> Void) {
        findOwner(of: service) { [unowned self] owner in
            if let owner { return body(.found(owner)) }
            // The answer does not say who it is.
            call("StartServiceByName", [.string(service), .uint32(0)]) { [unowned self] reply in
                if case .failure(let text) = reply { return body(.absent(text)) }
                findOwner(of: service) { owner in
                    body(owner.map(ServiceOwner.found) ?? .absent("it does not have its name on the system bus"))
                }
            }
        }
    }

    private func findOwner(of service: String, _ body: @escaping (String?) -> Void) {
        call("GetNameOwner", [.string(service)]) { reply in
            if case .message(let message) = reply { body(message.readString()) } else { body(nil) }
        }
    }
}
