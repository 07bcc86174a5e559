/// The running tasks of a dashboard, by purpose.
struct DashboardTasks {
    enum Purpose {
        case management, receivers, subscription, authorization, lists, log, drawing
    }

    private var tasks: [Purpose: [Task<Void, Never>]] = [:]

    /// Keeps new tasks, and cancels the previous ones for the same purpose.
    mutating func start(_ new: [Task<Void, Never>], for purpose: Purpose) {
        tasks[purpose]?.forEach { $0.cancel() }
        tasks[purpose] = new
    }

    /// Cancels all tasks that depend on the connection.
    mutating func closeConnection() {
        for purpose in tasks.keys where purpose != .drawing { start([], for: purpose) }
    }
}
