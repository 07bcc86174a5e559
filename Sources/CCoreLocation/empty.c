// The package manager wants a source of a target; the module map is all there is to this one.
