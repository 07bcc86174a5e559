internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension Peers {
    /// Finds out which app made a connection, and has its calls taken up then.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        do throws(AdmissionRefusal) {
            try admit(connection) { app in
                switch app {
                case .success(let app):
                    connection.userData = app
                    connection.admit()
                case .failure(let refusal): connection.refuse(VarlinkError(refusal))
                }
            }
        } catch {
            throw VarlinkError(error)
        }
        // The core watches the process by a descriptor of its own.
        connection.peer.pidfd = nil
        return .pending
    }
}

extension Managers {
    /// Finds out whether who made a connection may manage, and has its calls taken up then.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        do throws(AdmissionRefusal) {
            try admit(connection) { refusal in
                if let refusal { connection.refuse(VarlinkError(refusal)) } else { connection.admit() }
            }
        } catch {
            throw VarlinkError(error)
        }
        connection.peer.pidfd = nil
        return .pending
    }
}

extension VarlinkError {
    /// What a connection is told that is turned away.
    fileprivate init(_ refusal: AdmissionRefusal) {
        self =
            switch refusal {
            case .permissionDenied: .permissionDenied
            case .limitExceeded(let limit): .location(.limitExceeded(limit: limit))
            }
    }
}
