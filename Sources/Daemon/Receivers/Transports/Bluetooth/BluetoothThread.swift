import Linux
import NIOConcurrencyHelpers

/// The thread that reads all Bluetooth receivers and has their connection to the bus.
///
/// BlueZ passes a connection as a descriptor, and a process that can receive descriptors receives any that others send.
/// So no other thread waits for this one: see ``DescriptorConnection``. If it hangs, only Bluetooth is lost. Without
/// sessions, there is neither a thread nor a connection.
public final class BluetoothThread: Sendable {
    /// The sessions that are about to begin, and the pipe that ends the thread's wait.
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

        /// Removes and returns the sessions that are about to begin.
        func removeWaiting() -> [BluetoothSession] {
            state.withLockedValue { state in
                defer { state.waiting = [] }
                return state.waiting
            }
        }

        /// Stops accepting sessions for the running thread, unless one is about to begin. Returns whether the thread
        /// ends.
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

    /// Ends a session soon.
    func end(_ session: BluetoothSession) {
        session.stop()
        entrance.wake()
    }
}
