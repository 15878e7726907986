/** Items by a key, in the order in which keys and items come. (`Map.groupBy` needs a newer Node.) */
export function groupBy<T, Key extends string>(items: Iterable<T>, key: (item: T) => Key): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  // Items of one key mostly follow one another.
  let last: Key | undefined;
  let group: [T, ...T[]] | undefined;
  for (const item of items) {
    const name = key(item);
    if (group === undefined || name !== last) group = groups.get(name);
    last = name;
    if (group) {
      group.push(item);
      continue;
    }
    group = [item];
    groups.set(name, group);
  }
  return groups;
}
