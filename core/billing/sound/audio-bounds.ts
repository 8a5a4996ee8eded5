// How far a file is believed about its own length. In bytes a second; docs/billing.md states them.

/** Opus at its lowest. What cannot be read is charged as if it were this dense. */
export const DENSEST = 750
/** The most of MP3, and more than AAC, Vorbis or Opus need: 320 kbit/s. */
const SPARSEST = 40_000
/** With moving pictures beside the sound: 1 Mbit/s. */
const SPARSEST_WITH_PICTURES = 125_000
/** 192 kHz, eight channels of 32 bits; more is no sound. */
const MOST_PCM = 192_000 * 8 * 4
/** Of lossless sound whose frames are not read: 48 kHz, two channels of 16 bits. */
const MOST_LOSSLESS = 48_000 * 2 * 2

/** What a reader found in the file. All of it is the client's word. */
export interface AudioFacts {
  container?: string | undefined
  duration?: number | undefined
  lossless?: boolean | undefined
  sampleRate?: number | undefined
  numberOfChannels?: number | undefined
  bitsPerSample?: number | undefined
  hasVideo?: boolean | undefined
  /** Bytes a second of raw sound, by which it is also played: lying about that spoils the sound. */
  rawRate?: number | undefined
}

/** The length that a file says, held between what its size allows at the sparsest and at the densest. */
export function boundedSeconds(bytes: number, facts: AudioFacts | undefined): number {
  const most = bytes / DENSEST
  const claimed = facts?.duration
  if (!facts || claimed === undefined || !(claimed > 0)) return most
  return Math.min(most, Math.max(claimed, bytes / sparsest(facts)))
}

function sparsest(facts: AudioFacts): number {
  if (facts.rawRate) return Math.min(facts.rawRate, MOST_PCM)
  const { sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = facts
  const own = (sampleRate * numberOfChannels * bitsPerSample) / 8
  if (facts.lossless && facts.container !== 'WAVE' && own > 0) {
    return Math.min(own, facts.container === 'AIFF' ? MOST_PCM : MOST_LOSSLESS)
  }
  return facts.hasVideo ? SPARSEST_WITH_PICTURES : SPARSEST
}
