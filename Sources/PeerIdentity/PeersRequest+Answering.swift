internal import AuthorizationPolicy
internal import LocationModel

extension PeersRequest {
    /// Carries out the request with the privileges of this process, and returns the answer. May block for as long as
    /// a file system takes.
    ///
    /// - Parameter pidfd: The descriptor that came with the request, or -1.
    public func answer(pidfd: Int32) -> PeersReply {
        switch self {
        case .identity(let uid):
            do throws(IdentityRefusal) {
                return .identity(try ProcessReader(pidfd: pidfd).identity(uid: uid))
            } catch {
                return .refused(error)
            }
        case .loginOwner:
            guard let process = try? ProcessReader(pidfd: pidfd) else { return .owner(nil) }
            do throws(Login.Failure) { return .owner(try process.loginOwner()) } catch { return .failed(error.errno) }
        case .executable:
            return .executable((try? ProcessReader(pidfd: pidfd))?.executable)
        case .wake(let path, let uid, let line):
            do throws(WakeRefusal) {
                try WakeSocket.attempt(path, of: uid, line: line)
                return .woken
            } catch {
                return .notWoken(error)
            }
        }
    }
}
