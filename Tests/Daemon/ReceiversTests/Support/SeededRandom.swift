@testable import Receivers

/// The generator of the module under test, instead of the one that the other tests share.
typealias SeededRandom = Receivers.SeededRandom
