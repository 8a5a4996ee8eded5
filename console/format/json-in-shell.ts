/** JSON between the single quotes of a shell, for calls that people copy. */
export function jsonInShell(value: unknown): string {
  return JSON.stringify(value).replaceAll("'", String.raw`'\''`)
}
