/**
 * What `map` does, for the words of a command, what they mean, and the folders it may stand in. Once an engine has compiled it, `map`
 * gives lists of another layout than before, and all that reads them is compiled again for both, which is slower.
 */
export const eachOf = <T, U>(list: readonly T[], make: (item: T) => U): U[] => {
  const made: U[] = [];
  for (const item of list) made.push(make(item));
  return made;
};
