/// Knows whether something synchronizes the machine's clock. Confined to the event loop.
package protocol ClockSynchronization: AnyObject {
    /// A Boolean value indicating whether the clock is synchronized, as far as that is known: `false` at first. Reading
    /// it may begin a search for the answer, which later reads return.
    var isSynchronized: Bool { get }
}
