internal import Varlink

extension Peers {
    /// The handlers, for calls of processes that still run.
    ///
    /// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. The other makes
    /// calls in the app's name before a fix comes that would have the connection closed, and gets the last known
    /// location, regions or a prompt. So no call is taken up without a look at the process.
    func whileProcessRuns(_ handlers: [String: VarlinkService.Handler]) -> [String: VarlinkService.Handler] {
        handlers.mapValues(whileProcessRuns)
    }

    private func whileProcessRuns(_ handler: @escaping VarlinkService.Handler) -> VarlinkService.Handler {
        { [unowned self] (call) throws(VarlinkError) in
            guard self.isRunning(processOf: call.connection) else { throw .permissionDenied }
            try handler(call)
        }
    }
}
