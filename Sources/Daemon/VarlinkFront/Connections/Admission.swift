internal import Linux
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension Peers {
    /// Identifies the app that made a connection, and then admits or refuses the connection.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        do throws(AdmissionRefusal) {
            try admit(connection) { app in
                switch app {
                case .success(let app):
                    connection.userData = app
                    connection.admit()
                case .failure(let refusal):
                    connection.refuse(VarlinkError(refusal) { .location(.limitExceeded(limit: $0)) })
                }
            }
        } catch {
            throw VarlinkError(error) { .location(.limitExceeded(limit: $0)) }
        }
        // The core watches the process with its own descriptor.
        connection.peer.pidfd = nil
        return .pending
    }
}

extension Managers {
    /// Checks whether the process that made a connection may call, and then admits or refuses the connection.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        do throws(AdmissionRefusal) {
            try admit(connection, isMember: connection.isPeerInGroupOfSocket()) { refusal in
                guard let refusal else { return connection.admit() }
                connection.refuse(VarlinkError(refusal) { .manage(.limitExceeded(limit: $0)) })
            }
        } catch {
            throw VarlinkError(error) { .manage(.limitExceeded(limit: $0)) }
        }
        connection.peer.pidfd = nil
        return .pending
    }
}

extension VarlinkError {
    /// Creates the error that a refused connection receives. `limitExceeded` makes the interface's own error.
    fileprivate init(_ refusal: AdmissionRefusal, limitExceeded: (String) -> VarlinkError) {
        self =
            switch refusal {
            case .permissionDenied: .permissionDenied
            case .limitExceeded(let limit): limitExceeded(limit)
            }
    }
}
