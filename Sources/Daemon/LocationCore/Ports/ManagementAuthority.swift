/// A permission that a call on the management socket needs.
package enum ManagementPermission: Sendable, CaseIterable {
    /// To view the user's own apps and the receivers, and to answer prompts about these apps.
    case answer
    /// To decide about apps, to switch location services, and to view data that reveals where the machine is.
    case manage
}

/// A process that asks to manage.
package struct ManagingProcess: Sendable, Equatable {
    /// The id of the process.
    package let pid: Int32
    /// The time when the process started, as proc_pid_stat(5) states it: clock ticks since the boot.
    package let startTime: UInt64
    /// The user id of the process when it connected.
    package let uid: UInt32

    package init(pid: Int32, startTime: UInt64, uid: UInt32) {
        self.pid = pid
        self.startTime = startTime
        self.uid = uid
    }
}

/// Decides whether a process may manage although its user is not in the group of the management socket: polkit.
///
/// Confined to the event loop.
package protocol ManagementAuthority: AnyObject {
    /// Asks whether a process has a permission. `body` is called once, unless the question is withdrawn first. There is
    /// no time limit. Returns the number of the question.
    ///
    /// - Parameter mayAskUser: `true` if the user may be asked to authenticate.
    func ask(
        _ permission: ManagementPermission, for process: ManagingProcess, mayAskUser: Bool,
        _ body: @escaping (ManagementVerdict) -> Void
    ) -> UInt64
    /// Withdraws a question. A dialog that asks the user is closed.
    func withdraw(_ question: UInt64)
}

/// The authority's answer to a question.
package enum ManagementVerdict: Sendable, Equatable {
    case authorized
    /// The rules, or the user who was asked, refuse.
    case refused
    /// The user would have to authenticate, but may not be asked, or no authentication agent is running.
    case authenticationNeeded
    /// There is no authority, or it has failed.
    case unavailable
}

/// The reason why a call on the management socket is refused.
package enum ManagementRefusal: Error, Equatable {
    /// The authority refuses, or the process has ended.
    case refused
    /// See ``ManagementVerdict/authenticationNeeded``.
    case authenticationNeeded
    /// There is no authority, it has failed, or it did not answer in time.
    case unavailable
    /// The limit of this name is reached.
    case limitExceeded(String)
}
