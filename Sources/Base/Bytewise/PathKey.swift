/// A step of a coding path that is not a key of the type itself: an index, or a name that is not known in advance.
package struct PathKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    package init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    package init(stringValue: String) { self.init(stringValue) }
    package init(intValue: Int) { self.init(intValue) }
}
