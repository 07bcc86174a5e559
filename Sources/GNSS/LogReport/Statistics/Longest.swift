/// The longest of many elements, at most `capacity` of them.
struct Longest<Element: Sendable>: Sendable {
    private let capacity: Int
    private var elements: [(length: Double, element: Element)] = []
    /// The number of all added elements.
    private(set) var count: UInt64 = 0

    init(_ capacity: Int) { self.capacity = capacity }

    mutating func add(_ element: Element, length: Double) {
        count += 1
        if elements.count == capacity {
            let shortest = elements.indices.min { elements[$0].length < elements[$1].length }!
            guard elements[shortest].length < length else { return }
            elements.remove(at: shortest)
        }
        elements.append((length, element))
    }

    /// The kept elements, in the order of their addition.
    var kept: [Element] { elements.map(\.element) }
}
