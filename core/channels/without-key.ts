/** The same for all keys of a channel. */
export function withoutKeys(message: string, keys: readonly string[]): string {
  return keys.reduce(withoutKey, message)
}

/** Some upstreams quote the key that they refuse, whole or in parts of a composite one. */
export function withoutKey(message: string, key: string): string {
  return [key, ...key.split('|')]
    .filter((part) => part.length >= 6)
    .reduce((text, part) => text.replaceAll(part, '***'), message)
}
