// How far a file is believed about its own length. In bytes a second; docs/billing.md states them.

/** Opus at its lowest. What cannot be read is charged as if it were this dense. */
const DENSEST = 750
/** 192 kHz, eight channels of 32 bits; more is no sound. */
const MOST_RAW = 192_000 * 8 * 4

/** Two readings of one file, in seconds. */
export interface Counted {
  /** The sum of its frames. */
  counted: number
  /** What it says of its times, 0 where it says nothing. */
  said: number
}

/** The most that so many bytes may last, where nothing can be read. */
export function mostSeconds(bytes: number): number {
  return bytes / DENSEST
}

/** An encoder fills its last frame and begins with some silence. */
const AGREEING = 1.02
const AGREEING_SECONDS = 0.2

/** The file's own word, where the frames agree; else the greater of both. */
export function agreedSeconds({ counted, said }: Counted, bytes: number): number {
  if (!(counted > 0)) return mostSeconds(bytes)
  if (said > 0 && said <= counted && counted <= said * AGREEING + AGREEING_SECONDS) return said
  return Math.max(counted, Math.min(said, mostSeconds(bytes)))
}

/** Of raw sound: lying about the rate by which it is played spoils it. */
export function rawSeconds(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? bytes / Math.min(bytesPerSecond, MOST_RAW) : mostSeconds(bytes)
}
