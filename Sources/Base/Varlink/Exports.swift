/// Parameters are JSON values, so users of this module need the JSON module too.
@_exported public import JSON
