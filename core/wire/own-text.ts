// Texts that outlive what they were cut from or joined of: V8 would keep all of that in memory with them.

/** A substring keeps the whole string in memory, and joining it to an empty one copies nothing. A substring of a new
 *  string that is longer by one character does copy. */
export function ownText(part: string): string {
  return ` ${part}`.slice(1)
}

/** The same for longer texts, in one piece of memory. */
export function copiedText(text: string): string {
  return Buffer.from(text).toString()
}
