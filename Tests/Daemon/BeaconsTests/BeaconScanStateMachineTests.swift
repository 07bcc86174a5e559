import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconScanStateMachineTests {
    private typealias Action = BeaconScanStateMachine.Action
    private let adapter = "/org/bluez/hci0"

    /// Returns a machine that scans with one adapter.
    private func scanning(for purpose: BeaconScanStateMachine.Purpose = .ranging) -> BeaconScanStateMachine {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(purpose))
        _ = machine.handle(.found)
        _ = machine.handle(.adapters([adapter]))
        _ = machine.handle(.adapter(adapter, obstacle: nil))
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        _ = machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil))
        return machine
    }

    @Test func aScanBeginsWhenAnAppRangesAndEndsWithIt() {
        var machine = BeaconScanStateMachine()
        #expect(machine.handle(.purpose(.ranging)) == [.cancelTimer, .open])
        #expect(machine.handle(.found) == [.listAdapters])
        #expect(machine.handle(.adapters([adapter])) == [.readAdapter(adapter)])
        #expect(machine.handle(.adapter(adapter, obstacle: nil)) == [.call(.setFilter, adapter: adapter)])
        #expect(
            machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
                == [.call(.startDiscovery, adapter: adapter)])
        #expect(machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil)) == [.listening(true)])
        #expect(machine.unavailability == nil)
        #expect(
            machine.handle(.purpose(.none))
                == [.cancelTimer, .cancelRetry, .call(.stopDiscovery, adapter: adapter), .listening(false)])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil)) == [.close])
    }

    /// BlueZ ends a scan with the connection to the bus, which other parts of the daemon keep open.
    @Test func anAdapterThatDoesNotStopIsAskedAgain() {
        var machine = scanning()
        _ = machine.handle(.purpose(.none))
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: "it hangs")) == [.retry])
        #expect(!machine.isExpecting)
        #expect(machine.handle(.retry) == [.call(.stopDiscovery, adapter: adapter)])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: "it hangs")) == [.retry])
        // An app ranges again: the adapter is stopped first.
        #expect(machine.handle(.purpose(.ranging)) == [.cancelTimer, .call(.stopDiscovery, adapter: adapter)])
        #expect(
            machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil))
                == [.call(.setFilter, adapter: adapter)])
        // And the app ends while the adapter is to be stopped.
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        _ = machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil))
        _ = machine.handle(.purpose(.none))
        _ = machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: "it hangs"))
        // Without power, it has stopped.
        #expect(machine.handle(.adapter(adapter, obstacle: "it is off")) == [.close])
    }

    /// BlueZ does not answer in time, and starts the scan nevertheless; or an earlier one goes on.
    @Test(arguments: ["BlueZ does not answer", "it is busy"])
    func aScanThatHasPerhapsStartedIsStopped(_ failure: String) {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.ranging))
        _ = machine.handle(.found)
        _ = machine.handle(.adapter(adapter, obstacle: nil))
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        #expect(machine.handle(.purpose(.none)) == [.cancelTimer, .cancelRetry])
        #expect(
            machine.handle(.answered(.startDiscovery, adapter: adapter, failure: failure))
                == [.call(.stopDiscovery, adapter: adapter)])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil)) == [.close])
    }

    /// Before the answer to StartDiscovery, BlueZ refuses StopDiscovery.
    @Test func aScanThatIsStartingIsStoppedAfterwards() {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.ranging))
        _ = machine.handle(.found)
        _ = machine.handle(.adapter(adapter, obstacle: nil))
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        #expect(machine.handle(.purpose(.none)) == [.cancelTimer, .cancelRetry])
        #expect(
            machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil))
                == [.call(.stopDiscovery, adapter: adapter)])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil)) == [.close])
    }

    @Test func regionsAreWatchedForSomeSecondsOfEachMinute() {
        var machine = BeaconScanStateMachine()
        #expect(machine.handle(.purpose(.watching)) == [.setTimer(seconds: 13), .open])
        machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.watching))
        _ = machine.handle(.found)
        _ = machine.handle(.adapter(adapter, obstacle: nil))
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        // However long the start has taken: an exit needs 12 s of listening.
        #expect(
            machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil))
                == [.listening(true), .setTimer(seconds: 13)])
        #expect(
            machine.handle(.timeout)
                == [.setTimer(seconds: 47), .call(.stopDiscovery, adapter: adapter), .listening(false)])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil)) == [])
        #expect(machine.handle(.timeout) == [.setTimer(seconds: 13), .call(.setFilter, adapter: adapter)])
        // An app that ranges needs all of the time.
        _ = machine.handle(.timeout)
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        #expect(machine.handle(.purpose(.ranging)) == [.cancelTimer, .call(.setFilter, adapter: adapter)])
    }

    @Test func aScanGoesOnOrEndsAsTheRegionsNeed() {
        var machine = scanning(for: .watching)
        #expect(machine.handle(.needed(.none)) == [.call(.stopDiscovery, adapter: adapter), .listening(false)])
        _ = machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil))
        #expect(machine.handle(.timeout) == [.setTimer(seconds: 47)])
        // A region is in doubt, between two windows: it does not begin one.
        #expect(machine.handle(.needed(.continuous)) == [.call(.setFilter, adapter: adapter)])
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        #expect(machine.handle(.answered(.startDiscovery, adapter: adapter, failure: nil)) == [.listening(true)])
        #expect(
            machine.handle(.needed(.windows)) == [.call(.stopDiscovery, adapter: adapter), .listening(false)])
        // A window begins meanwhile.
        _ = machine.handle(.needed(.continuous))
        #expect(machine.handle(.timeout) == [.setTimer(seconds: 13)])
        #expect(
            machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil))
                == [.call(.setFilter, adapter: adapter)])
    }

    /// Monitors listen between the windows. When they have ended, a window begins at once.
    @Test func withMonitorsWindowsAreRare() {
        var machine = scanning(for: .watching)
        #expect(machine.handle(.monitored(true)) == [])
        #expect(
            machine.handle(.timeout)
                == [.setTimer(seconds: 287), .call(.stopDiscovery, adapter: adapter), .listening(false)])
        _ = machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil))
        #expect(machine.handle(.monitored(false)) == [.setTimer(seconds: 13), .call(.setFilter, adapter: adapter)])
        #expect(machine.handle(.purpose(.none)) == [.cancelTimer, .cancelRetry])
        #expect(machine.handle(.monitored(true)) == [])
    }

    @Test func anAdapterThatIsOffIsReportedAndUsedOnceItIsOn() {
        var machine = scanning()
        #expect(machine.handle(.adapter(adapter, obstacle: "it is off")) == [.listening(false), .availabilityChanged])
        #expect(machine.unavailability == "it is off")
        #expect(
            machine.handle(.adapter(adapter, obstacle: nil))
                == [.call(.setFilter, adapter: adapter), .availabilityChanged])
        #expect(machine.unavailability == nil)
    }

    @Test func aBusyAdapterIsReportedAndTriedAgain() {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.ranging))
        _ = machine.handle(.found)
        _ = machine.handle(.adapter(adapter, obstacle: nil))
        _ = machine.handle(.answered(.setFilter, adapter: adapter, failure: nil))
        #expect(
            machine.handle(.answered(.startDiscovery, adapter: adapter, failure: "it is busy"))
                == [.call(.stopDiscovery, adapter: adapter), .availabilityChanged])
        #expect(machine.handle(.answered(.stopDiscovery, adapter: adapter, failure: nil)) == [.retry])
        #expect(machine.unavailability == "it is busy")
        #expect(machine.handle(.retry) == [.call(.setFilter, adapter: adapter), .availabilityChanged])
    }

    @Test func blueZIsLostAndFound() {
        var machine = scanning()
        #expect(
            machine.handle(.absent("it has left")) == [.cancelRetry, .listening(false), .availabilityChanged])
        #expect(machine.unavailability?.contains("it has left") == true)
        #expect(machine.handle(.found) == [.listAdapters, .availabilityChanged])
        #expect(machine.handle(.adapters([adapter])) == [.readAdapter(adapter)])
        #expect(machine.handle(.adapter(adapter, obstacle: nil)) == [.call(.setFilter, adapter: adapter)])
    }

    @Test func aMachineWithoutAnAdapterSaysSo() {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.ranging))
        _ = machine.handle(.found)
        #expect(machine.unavailability == nil)
        #expect(machine.handle(.adapters([])) == [.availabilityChanged])
        #expect(machine.unavailability?.contains("no Bluetooth adapter") == true)
        #expect(
            machine.handle(.adapter(adapter, obstacle: nil))
                == [.call(.setFilter, adapter: adapter), .availabilityChanged])
    }

    @Test func blueZThatDoesNotAnswerIsAskedAgain() {
        var machine = BeaconScanStateMachine()
        _ = machine.handle(.purpose(.ranging))
        _ = machine.handle(.found)
        #expect(machine.handle(.adapters(nil)) == [.retry, .availabilityChanged])
        #expect(machine.unavailability?.contains("does not list") == true)
        #expect(machine.handle(.retry) == [.listAdapters])
        #expect(machine.handle(.adapters([adapter])) == [.readAdapter(adapter), .availabilityChanged])
        #expect(machine.handle(.unread(adapter)) == [.retry, .availabilityChanged])
        #expect(machine.unavailability?.contains("does not describe") == true)
        #expect(machine.handle(.retry) == [.readAdapter(adapter)])
        #expect(
            machine.handle(.adapter(adapter, obstacle: nil))
                == [.call(.setFilter, adapter: adapter), .availabilityChanged])
    }

    /// The demand ends, and with it the retry, while the other adapter is being stopped, and begins again before.
    @Test func aFailedAdapterIsTriedAgainWithNewDemand() {
        var machine = scanning()
        let other = "/org/bluez/hci1"
        _ = machine.handle(.adapter(other, obstacle: nil))
        #expect(machine.handle(.answered(.setFilter, adapter: other, failure: "it fails")) == [.retry])
        #expect(
            machine.handle(.purpose(.none))
                == [.cancelTimer, .cancelRetry, .call(.stopDiscovery, adapter: adapter), .listening(false)])
        #expect(machine.handle(.purpose(.ranging)) == [.cancelTimer, .call(.setFilter, adapter: other)])
    }

    @Test func oneOfTwoAdaptersIsEnough() {
        var machine = scanning()
        _ = machine.handle(.adapter("/org/bluez/hci1", obstacle: "it is off"))
        #expect(machine.unavailability == nil)
        _ = machine.handle(.removed(adapter))
        #expect(machine.unavailability == "it is off")
    }

    /// Events in any order, also late and wrong ones: a scan is never left running, and nothing is called without
    /// BlueZ.
    @Test func whateverHappensNothingIsLeftRunning() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let adapters = [adapter, "/org/bluez/hci1"]
        let needs: [BeaconPresences.Listening] = [.none, .windows, .continuous]
        for _ in 0..<500 {
            var machine = BeaconScanStateMachine()
            var waiting: [(BeaconScanStateMachine.Call, String)] = []
            var scanning: Set<String> = []
            var isOpen = false
            func apply(_ actions: [Action]) {
                for action in actions {
                    switch action {
                    case .open: isOpen = true
                    case .close:
                        #expect(scanning.isEmpty && waiting.isEmpty, "seed \(seed)")
                        isOpen = false
                    case .call(let call, let path):
                        #expect(isOpen, "seed \(seed)")
                        waiting.append((call, path))
                    default: break
                    }
                }
            }
            /// A failed call may have had its effect, or not.
            func answer(_ failure: String?) {
                guard !waiting.isEmpty else { return }
                let (call, path) = waiting.removeFirst()
                if failure == nil || Bool.random(using: &random) {
                    if call == .startDiscovery { scanning.insert(path) }
                    if call == .stopDiscovery { scanning.remove(path) }
                }
                apply(machine.handle(.answered(call, adapter: path, failure: failure)))
            }
            for _ in 0..<60 {
                let path = adapters.randomElement(using: &random)!
                switch Int.random(in: 0..<13, using: &random) {
                case 0: apply(machine.handle(.purpose(.ranging)))
                case 1: apply(machine.handle(.purpose(.watching)))
                case 2: apply(machine.handle(.purpose(.none)))
                // Another BlueZ does not know the calls of the one before it.
                case 3 where isOpen:
                    (waiting, scanning) = ([], [])
                    apply(machine.handle(.found))
                case 4: apply(machine.handle(.adapter(path, obstacle: nil)))
                case 5: answer(Bool.random(using: &random) ? nil : "busy")
                case 6: answer(nil)
                case 7: apply(machine.handle(.timeout))
                case 8: apply(machine.handle(.unread(path)))
                case 10: apply(machine.handle(.needed(needs.randomElement(using: &random)!)))
                case 11: apply(machine.handle(.monitored(Bool.random(using: &random))))
                case 9: apply(machine.handle(.adapters(Bool.random(using: &random) ? adapters : nil)))
                default: apply(machine.handle(.retry))
                }
            }
            apply(machine.handle(.purpose(.none)))
            while !waiting.isEmpty { answer(nil) }
            // The adapters that have not stopped before.
            apply(machine.handle(.retry))
            while !waiting.isEmpty { answer(nil) }
            #expect(scanning.isEmpty && !isOpen, "seed \(seed)")
        }
    }
}
