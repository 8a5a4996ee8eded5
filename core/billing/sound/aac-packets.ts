// The length of AAC in a packet, by its blocks.

import { AAC_RATES, type AacConfig, LOW_COMPLEXITY, MAIN } from './aac-config.ts'
import { blockEnd } from './aac-blocks.ts'
import { type Bands, bandsOf } from './aac-codebooks.ts'
import { mostSeconds } from './audio-bounds.ts'
import { Bits } from './bits.ts'

/** Object types whose blocks are read; those of Main only if they use no prediction. */
const readTypes: ReadonlySet<number> = new Set([MAIN, LOW_COMPLEXITY])
const ADTS_SYNC = 0xfff
const ADTS_SAMPLES = 1024
const ADTS_BYTES = 7
const ADTS_SUM_BYTES = 2

/** Reads the packets of one track, in their order. */
export class AacStream {
  private secondsPerBlock = 0
  /** Undefined if the blocks are not read. */
  private bands: Bands | undefined

  constructor(config?: AacConfig) {
    if (config) this.follow(config)
  }

  /** A packet contains one block or more. Packets that cannot be read are charged by their size. */
  seconds(data: Buffer, start: number, end: number): number {
    const soundEnd = withoutPadding(data, start, end)
    let seconds = 0
    let at = start
    while (at < soundEnd || at === start) {
      const next = this.blockEnd(data, at, end)
      if (next === undefined) return seconds + Math.max(this.secondsPerBlock, mostSeconds(end - at))
      seconds += this.secondsPerBlock
      at = next
    }
    return seconds
  }

  private blockEnd(data: Buffer, start: number, end: number): number | undefined {
    const at = start + this.headBytes(data, start, end)
    return this.bands && blockEnd(data, at, end, this.bands)
  }

  /** An ADTS header may precede any block. It changes how everything after it is played. */
  private headBytes(data: Buffer, start: number, end: number): number {
    if (start + ADTS_BYTES > end || data.readUInt16BE(start) >> 4 !== ADTS_SYNC) return 0
    const bits = new Bits(data, start)
    bits.skip(15)
    const sumBytes = bits.read(1) === 1 ? 0 : ADTS_SUM_BYTES
    const type = bits.read(2) + 1
    const samplesPerSecond = AAC_RATES[bits.read(4)]
    if (samplesPerSecond) this.follow({ type, samples: ADTS_SAMPLES, samplesPerSecond })
    return ADTS_BYTES + sumBytes
  }

  private follow({ type, samples, samplesPerSecond }: AacConfig): void {
    // Not all decoders follow each header, so the slowest rate counts.
    this.secondsPerBlock = Math.max(this.secondsPerBlock, samples / samplesPerSecond)
    this.bands = readTypes.has(type) ? bandsOf(samplesPerSecond, samples) : undefined
  }
}

/** Decoders skip zeros at the end. */
function withoutPadding(data: Buffer, start: number, end: number): number {
  let at = end
  while (at > start && data[at - 1] === 0) at -= 1
  return at
}
