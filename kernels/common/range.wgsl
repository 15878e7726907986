// Items of a dispatch: the first one, and the one after the last.
struct Range { first: u32, end: u32 }
