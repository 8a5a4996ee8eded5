// One channel of an AAC block, only read to find where it ends. Source: ISO/IEC 14496-3, section 4.4.2 (ics_info,
// individual_channel_stream and their parts).

import { type Bands, scaleFactors, skipCodewords, spectra } from './aac-codebooks.ts'
import type { Bits } from './bits.ts'

const EIGHT_SHORT = 2
const SHORT_WINDOWS = 8
/** Codebooks up to this one have four values per codeword. */
const LAST_OF_FOURS = 4
const RESERVED = 12
const NOISE = 13
/** The first value of a frame is not compressed. */
const FIRST_NOISE_BITS = 9
const MOST_SECTIONS = 512
/** For the object type Main; 12 for others, and 7 for short windows. */
const MOST_FILTER_ORDER = 20

// Only one channel is read at a time, so these buffers are shared.
/** How many windows each group has. */
const windows = new Uint8Array(SHORT_WINDOWS)
/** For each section: its codebook, its bands and their values. */
const books = new Uint8Array(MOST_SECTIONS)
const bandCounts = new Uint8Array(MOST_SECTIONS)
const valueCounts = new Uint16Array(MOST_SECTIONS)

export class ChannelReader {
  private readonly bits: Bits
  private readonly allBands: Bands
  private isShort = false
  private offsets: readonly number[]
  /** How many bands of a window are coded. */
  private bands = 0
  private groups = 1
  private sections = 0

  constructor(bits: Bits, bands: Bands) {
    this.bits = bits
    this.allBands = bands
    this.offsets = bands.long
  }

  /** The part that two channels may share. */
  readWindows(): void {
    const { bits } = this
    bits.skip(1)
    this.isShort = bits.read(2) === EIGHT_SHORT
    bits.skip(1)
    this.offsets = this.isShort ? this.allBands.short : this.allBands.long
    this.bands = bits.read(this.isShort ? 4 : 6)
    if (this.bands >= this.offsets.length) bits.fail()
    this.groups = 1
    windows[0] = 1
    if (this.isShort) this.readGroups()
    // Prediction exists only in the object types Main and LTP.
    else if (bits.read(1) === 1) bits.fail()
  }

  /** For each window but the first, one bit says whether it belongs to the group before. */
  private readGroups(): void {
    for (let window = 1; window < SHORT_WINDOWS; window += 1) {
      if (this.bits.read(1) === 0) {
        this.groups += 1
        windows[this.groups - 1] = 0
      }
      windows[this.groups - 1] = (windows[this.groups - 1] ?? 0) + 1
    }
  }

  /** How the two channels of a pair are related. */
  readStereo(): void {
    const kind = this.bits.read(2)
    if (kind === 1) this.bits.skip(this.groups * this.bands)
    else if (kind === 3) this.bits.fail()
  }

  readChannel(hasOwnWindows: boolean): void {
    this.bits.skip(8)
    if (hasOwnWindows) this.readWindows()
    this.readSections()
    this.readScaleFactors()
    this.readPulses()
    if (this.bits.read(1) === 1) this.readFilters()
    // Gain control exists only in the object type SSR.
    if (this.bits.read(1) === 1) this.bits.fail()
    this.readSpectrum()
  }

  /** The number of bands with sound, in all groups. */
  get sounding(): number {
    let count = 0
    for (let section = 0; section < this.sections; section += 1) {
      if (books[section]) count += bandCounts[section] ?? 0
    }
    return count
  }

  private readSections(): void {
    const { bits } = this
    const lengthBits = this.isShort ? 3 : 5
    this.sections = 0
    for (let group = 0; group < this.groups; group += 1) {
      let band = 0
      while (band < this.bands && !bits.isPast) {
        const book = bits.read(4)
        const end = band + this.readRun(lengthBits)
        if (end > this.bands || book === RESERVED) bits.fail()
        else if (end > band) this.addSection(group, book, band, end)
        band = end
      }
    }
  }

  /** A number in several parts: a part with all bits set is followed by another one. */
  private readRun(partBits: number): number {
    const most = (1 << partBits) - 1
    let sum = 0
    let part = most
    while (part === most && sum <= this.bands) {
      part = this.bits.read(partBits)
      sum += part
    }
    return sum
  }

  private addSection(group: number, book: number, band: number, end: number): void {
    const width = (this.offsets[end] ?? 0) - (this.offsets[band] ?? 0)
    books[this.sections] = book
    bandCounts[this.sections] = end - band
    valueCounts[this.sections] = width * (windows[group] ?? 0)
    this.sections += 1
  }

  private readScaleFactors(): void {
    let isFirstNoise = true
    for (let section = 0; section < this.sections; section += 1) {
      const book = books[section]
      if (!book) continue
      let count = bandCounts[section] ?? 0
      if (book === NOISE && isFirstNoise) {
        isFirstNoise = false
        this.bits.skip(FIRST_NOISE_BITS)
        count -= 1
      }
      skipCodewords(this.bits, scaleFactors, count)
    }
  }

  private readPulses(): void {
    const { bits } = this
    if (bits.read(1) === 0) return
    const pulses = bits.read(2) + 1
    if (this.isShort || bits.read(6) >= this.offsets.length - 1) bits.fail()
    bits.skip(pulses * 9)
  }

  /** Temporal noise shaping. */
  private readFilters(): void {
    const { bits, isShort } = this
    const windows = isShort ? SHORT_WINDOWS : 1
    for (let window = 0; window < windows; window += 1) {
      const filters = bits.read(isShort ? 1 : 2)
      if (filters === 0) continue
      const resolution = bits.read(1)
      for (let filter = 0; filter < filters; filter += 1) {
        bits.skip(isShort ? 4 : 6)
        const order = bits.read(isShort ? 3 : 5)
        if (order > MOST_FILTER_ORDER) bits.fail()
        if (order === 0) continue
        bits.skip(1)
        const isCompressed = bits.read(1)
        bits.skip(order * (3 + resolution - isCompressed))
      }
    }
  }

  private readSpectrum(): void {
    for (let section = 0; section < this.sections; section += 1) {
      const number = books[section] ?? 0
      const book = spectra[number]
      const values = valueCounts[section] ?? 0
      if (book) skipCodewords(this.bits, book, values / (number > LAST_OF_FOURS ? 2 : 4))
    }
  }
}
