/** How many characters at the end of `text` are a beginning of `mark`. */
export function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
