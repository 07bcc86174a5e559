import Linux
import NIOConcurrencyHelpers

/// The thread on which all Bluetooth receivers are read, and on which their connection to the bus is.
///
/// BlueZ hands a connection over as a descriptor, and whoever can receive one receives what anybody sends. So nobody
/// waits for this thread: see ``DescriptorConnection``. If it hangs, Bluetooth is lost, and nothing else. While no
/// session is on it, there is neither a thread nor a connection.
public final class BluetoothThread: Sendable {
    /// The sessions that are to begin, and the pipe that ends the thread's wait.
    final class Entrance: Sendable {
        private struct State {
            var waiting: [BluetoothSession] = []
            /// `nil` while nothing runs on the thread.
            var wake: WakePipe?
        }

        private let state = NIOLockedValueBox(State())

        /// Adds a session, and calls `start` if nothing runs on the thread. Returns `false` if there are too many files
        /// or threads.
        fileprivate func add(_ session: BluetoothSession, _ start: (WakePipe) throws(SystemCallError) -> Void) -> Bool {
            state.withLockedValue { state in
                if state.wake == nil {
                    guard let wake = try? WakePipe(), (try? start(wake)) != nil else { return false }
                    state.wake = wake
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

    /// Creates a thread that is started with the first session, and ends with the last one.
    ///
    /// - Parameter bus: The address of the bus, or `nil` for the system bus.
    public init(bus: String? = nil) { self.bus = bus }

    /// Begins a session on the thread. Returns `false` if there are too many files or threads.
    func begin(_ session: BluetoothSession) -> Bool {
        entrance.add(session) { [bus, entrance] wake throws(SystemCallError) in
            try DetachedThread.start { BluetoothRun(on: bus, entrance, wake).run() }
        }
    }

    /// Ends a session, soon.
    func end(_ session: BluetoothSession) {
        session.stop()
        entrance.wake()
    }
}
