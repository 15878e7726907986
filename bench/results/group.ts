/** Items by a key, in the order in which keys and items come. (`Map.groupBy` needs a newer Node.) */
export function groupBy<T, Key extends string>(items: Iterable<T>, key: (item: T) => Key): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const item of items) {
    const name = key(item);
    const known = groups.get(name);
    if (known) known.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
