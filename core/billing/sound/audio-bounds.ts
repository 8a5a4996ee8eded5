// How far a file is trusted about its own length, in bytes a second. docs/billing.md states these limits.

/** The density of Opus at its lowest rate. What cannot be read is charged as if it were this dense. */
const DENSEST = 750
/** Eight channels of 32 bits at 192 kHz; sound has no higher rate. */
const MOST_RAW = 192_000 * 8 * 4

/** Two readings of one file, in seconds. */
export interface Counted {
  /** The sum of its frames. */
  counted: number
  /** The length that the file states; 0 if it states none. */
  said: number
}

/** The longest that so many bytes can last, if nothing can be read. */
export function mostSeconds(bytes: number): number {
  return bytes / DENSEST
}

/** An encoder fills its last frame and begins with some silence. */
const AGREEING = 1.02
const AGREEING_SECONDS = 0.2

/** The length that the file states, if the frames agree; otherwise the greater of both. */
export function agreedSeconds({ counted, said }: Counted, bytes: number): number {
  if (!(counted > 0)) return mostSeconds(bytes)
  if (said > 0 && said <= counted && counted <= said * AGREEING + AGREEING_SECONDS) return said
  return Math.max(counted, Math.min(said, mostSeconds(bytes)))
}

/** The length of raw sound. A wrong rate would spoil it, because it is played by that rate. */
export function rawSeconds(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? bytes / Math.min(bytesPerSecond, MOST_RAW) : mostSeconds(bytes)
}
