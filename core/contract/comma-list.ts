/** The items of a comma list, trimmed, without empty ones and repetitions. */
export function splitList(list: string): string[] {
  const items = list.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}
