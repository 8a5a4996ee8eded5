import { boundedJson } from './bounded-json.ts'

/** Parses JSON; returns the text itself if it is not JSON, as pages of errors often are, or holds more than may be read. */
export function parseLoosely(text: string): unknown {
  try {
    return boundedJson(text)
  } catch {
    return text
  }
}
