/** The items of a list in a text, each once, without the empty ones. */
export function splitList(
  text: string | null | undefined,
  separator: string | RegExp = ',',
): string[] {
  const items = (text ?? '').split(separator).map((item) => item.trim())
  return [...new Set(items.filter(Boolean))]
}
