// The configuration of AAC in MP4 and Matroska, by which decoders play it. Source: ISO/IEC 14496-3,
// AudioSpecificConfig.

import { Bits } from './bits.ts'

export interface AacConfig {
  /** The object type. If the upper half of the spectrum is replicated, that of the lower half. */
  type: number
  /** Samples of one block and one channel. */
  samples: number
  samplesPerSecond: number
}

export const MAIN = 1
export const LOW_COMPLEXITY = 2

/** By their code. */
export const AAC_RATES: readonly number[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
]
const OWN_RATE = 15
const MORE_TYPES = 31
const SPECTRAL_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const LOW_DELAY: ReadonlySet<number> = new Set([23, 39])
const UNIFIED = 42
const UNIFIED_SAMPLES = [768, 1024, 2048, 2048, 4096] as const

const LAYOUT_BITS = 4

/** Undefined if the bytes are no such configuration. */
export function aacConfig(data: Buffer): AacConfig | undefined {
  const bits = new Bits(data)
  let type = objectType(bits)
  const samplesPerSecond = rateOf(bits)
  bits.skip(LAYOUT_BITS)
  if (type === SPECTRAL_REPLICATION || type === PARAMETRIC_STEREO) {
    rateOf(bits)
    type = objectType(bits)
  }
  const samples = samplesOf(type, bits)
  return samplesPerSecond && samples ? { type, samples, samplesPerSecond } : undefined
}

function samplesOf(type: number, bits: Bits): number | undefined {
  if (type === UNIFIED) {
    if (bits.read(5) === MORE_TYPES) bits.skip(24)
    return UNIFIED_SAMPLES[bits.read(3)]
  }
  const isShort = bits.read(1) === 1
  if (LOW_DELAY.has(type)) return isShort ? 480 : 512
  return isShort ? 960 : 1024
}

function objectType(bits: Bits): number {
  const type = bits.read(5)
  return type === MORE_TYPES ? 32 + bits.read(6) : type
}

function rateOf(bits: Bits): number {
  const code = bits.read(4)
  return code === OWN_RATE ? bits.read(24) : (AAC_RATES[code] ?? 0)
}
