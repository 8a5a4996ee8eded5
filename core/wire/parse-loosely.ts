/** Parses JSON; returns the text itself if it is not JSON, as pages of errors often are. */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
