/** What is worked out once. */

/** `make` once for each object: what it made is kept as long as the object is, which must not change meanwhile. */
export function onceEach<Key extends object, T extends object>(make: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, T>();
  return (key) => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}
