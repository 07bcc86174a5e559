import Linux
import NIOConcurrencyHelpers
import NIOPosix

/// The thread on which all Bluetooth receivers are read, and on which their connection to the bus is.
///
/// BlueZ hands a connection over as a descriptor, and whoever can receive one receives what anybody sends. So nobody
/// waits for this thread: see ``DescriptorConnection``. If it hangs, Bluetooth is lost, and nothing else. While no
/// session is on it, it sleeps, and there is no connection.
public final class BluetoothThread: Sendable {
    /// The sessions that are to begin, and the pipe that ends the thread's wait.
    final class Entrance: Sendable {
        private struct State {
            var waiting: [BluetoothSession] = []
            /// `nil` while nothing runs on the thread.
            var wake: WakePipe?
        }

        private let state = NIOLockedValueBox(State())

        /// Adds a session, and calls `run` if nothing runs on the thread. Returns `false` if too many files are open.
        fileprivate func add(_ session: BluetoothSession, _ run: (WakePipe) -> Void) -> Bool {
            state.withLockedValue { state in
                if state.wake == nil {
                    guard let wake = try? WakePipe() else { return false }
                    state.wake = wake
                    run(wake)
                }
                state.waiting.append(session)
                state.wake?.wake()
                return true
            }
        }

        fileprivate func wake() { state.withLockedValue { $0.wake?.wake() } }

        /// Returns the sessions that are to begin, each one once.
        func removeWaiting() -> [BluetoothSession] {
            state.withLockedValue { state in
                defer { state.waiting = [] }
                return state.waiting
            }
        }

        /// Ends what runs on the thread, unless a session is to begin. Returns whether it has ended.
        func close() -> Bool {
            state.withLockedValue { state in
                guard state.waiting.isEmpty else { return false }
                state.wake = nil
                return true
            }
        }
    }

    private let bus: String?
    private let entrance = Entrance()
    /// Made with the first session, and kept: a machine without a Bluetooth receiver has no thread for it.
    private let thread = NIOLockedValueBox<NIOThreadPool?>(nil)

    /// Creates a thread that is started with the first session.
    ///
    /// - Parameter bus: The address of the bus, or `nil` for the system bus.
    public init(bus: String? = nil) { self.bus = bus }

    deinit { thread.withLockedValue { $0 }?.shutdownGracefully { _ in } }

    /// Begins a session on the thread. Returns `false` if too many files are open.
    func begin(_ session: BluetoothSession) -> Bool {
        let thread = thread.withLockedValue { thread in
            if thread == nil {
                thread = NIOThreadPool(numberOfThreads: 1)
                thread?.start()
            }
            return thread
        }
        return entrance.add(session) { [bus, entrance] wake in
            thread?.submit { _ in BluetoothRun(on: bus, entrance, wake).run() }
        }
    }

    /// Ends a session, soon.
    func end(_ session: BluetoothSession) {
        session.stop()
        entrance.wake()
    }
}
