// The head of AAC in MP4 and Matroska, by which its decoder plays. Source: ISO/IEC 14496-3, AudioSpecificConfig.

export interface AacConfig {
  /** Of one frame and one channel. */
  samples: number
  samplesPerSecond: number
  channels: number
}

/** A block takes at most 6144 bits a channel. */
export const MOST_AAC_BYTES = 768

/** Of a code for the layout of speakers; 0 leaves it to the sound. */
export function channelsOf(layout: number): number {
  if (layout === 0) return 2
  return layout >= SEVEN_AND_ONE ? 8 : layout
}

const RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
] as const
const OWN_RATE = 15
const MORE_TYPES = 31
const SPECTRAL_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const LOW_DELAY: ReadonlySet<number> = new Set([23, 39])
const UNIFIED = 42
const UNIFIED_SAMPLES = [768, 1024, 2048, 2048, 4096] as const
const SEVEN_AND_ONE = 7

/** Undefined when the bytes are no such head. */
export function aacConfig(data: Buffer): AacConfig | undefined {
  const bits = bitsOf(data)
  let type = objectType(bits)
  const samplesPerSecond = rateOf(bits)
  const layout = bits(4)
  if (type === SPECTRAL_REPLICATION || type === PARAMETRIC_STEREO) {
    rateOf(bits)
    type = objectType(bits)
  }
  if (!samplesPerSecond) return undefined
  const samples = samplesOf(type, bits)
  return samples ? { samples, samplesPerSecond, channels: channelsOf(layout) } : undefined
}

type Bits = (count: number) => number

function samplesOf(type: number, bits: Bits): number | undefined {
  if (type === UNIFIED) {
    if (bits(5) === MORE_TYPES) bits(24)
    return UNIFIED_SAMPLES[bits(3)]
  }
  const isShort = bits(1) === 1
  if (LOW_DELAY.has(type)) return isShort ? 480 : 512
  return isShort ? 960 : 1024
}

function objectType(bits: Bits): number {
  const type = bits(5)
  return type === MORE_TYPES ? 32 + bits(6) : type
}

function rateOf(bits: Bits): number {
  const code = bits(4)
  return code === OWN_RATE ? bits(24) : (RATES[code] ?? 0)
}

/** The highest bit first; past the end all are 0. */
function bitsOf(data: Buffer): Bits {
  let at = 0
  return (count) => {
    let value = 0
    for (const end = at + count; at < end; at += 1) {
      value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    }
    return value
  }
}
