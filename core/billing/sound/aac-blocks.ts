// The blocks of AAC in a packet. Decoders continue with the next block as long as there are bytes. Blocks are only read
// to find where each ends, at 60 to 85 MB a second. Source: ISO/IEC 14496-3, section 4.4.2 (raw_data_block and its
// elements).

import { ChannelReader } from './aac-channel.ts'
import { type Bands, scaleFactors, skipCodewords } from './aac-codebooks.ts'
import { Bits } from './bits.ts'

const PAIR = 1
const COUPLING = 2
const DATA = 4
const PROGRAM = 5
const FILL = 6
const END = 7

const DYNAMIC_RANGE = 11
const SPECTRAL_REPLICATION = 13
const SPECTRAL_REPLICATION_SUMMED = 14
/** The most channels that can be excluded. */
const MOST_EXCLUSIONS = 8

/** The end of the block that begins at `start`; undefined if there is no block, or one of a kind that is not read. */
export function blockEnd(
  data: Uint8Array,
  start: number,
  end: number,
  bands: Bands,
): number | undefined {
  const bits = new Bits(data, start, end)
  const channels = new ChannelReader(bits, bands)
  let hasChannel = false
  for (let element = bits.read(3); element !== END; element = bits.read(3)) {
    if (bits.isPast) return undefined
    if (element === FILL) {
      readFill(bits, hasChannel)
      continue
    }
    bits.skip(4)
    if (element === DATA) readData(bits)
    else if (element === PROGRAM) readProgram(bits)
    else if (element === COUPLING) readCoupling(bits, channels)
    else if (element === PAIR) readPair(bits, channels)
    else channels.readChannel(true)
    hasChannel ||= element < DATA
  }
  bits.align()
  return bits.isPast ? undefined : bits.at / 8
}

function readPair(bits: Bits, channels: ChannelReader): void {
  const isCommon = bits.read(1) === 1
  if (isCommon) {
    channels.readWindows()
    channels.readStereo()
  }
  channels.readChannel(!isCommon)
  channels.readChannel(!isCommon)
}

/** What is added to other channels, and how loud in each of them. */
function readCoupling(bits: Bits, channels: ChannelReader): void {
  const isIndependent = bits.read(1) === 1
  const targets = bits.read(3) + 1
  let gains = targets
  for (let target = 0; target < targets; target += 1) {
    const isPair = bits.read(1) === 1
    bits.skip(4)
    if (isPair && bits.read(2) === 3) gains += 1
  }
  bits.skip(4)
  channels.readChannel(true)
  const { sounding } = channels
  for (let gain = 1; gain < gains; gain += 1) {
    const isOneForAll = isIndependent || bits.read(1) === 1
    skipCodewords(bits, scaleFactors, isOneForAll ? 1 : sounding)
  }
}

function readData(bits: Bits): void {
  const isAligned = bits.read(1) === 1
  let bytes = bits.read(8)
  if (bytes === 255) bytes += bits.read(8)
  if (isAligned) bits.align()
  bits.skip(bytes * 8)
}

/** Which elements hold which channels. */
function readProgram(bits: Bits): void {
  bits.skip(6)
  const [front, side, back] = [bits.read(4), bits.read(4), bits.read(4)]
  const [low, data, coupling] = [bits.read(2), bits.read(3), bits.read(4)]
  for (const mixBits of [4, 4, 3]) {
    if (bits.read(1) === 1) bits.skip(mixBits)
  }
  bits.skip((front + side + back + coupling) * 5 + (low + data) * 4)
  bits.align()
  const commentBytes = bits.read(8)
  bits.skip(commentBytes * 8)
}

/** Fill elements contain padding or the extensions of high-efficiency AAC. Decoders skip both by their length. */
function readFill(bits: Bits, hasChannel: boolean): void {
  let bytes = bits.read(4)
  if (bytes === 15) bytes += bits.read(8) - 1
  while (bytes > 0) {
    const kind = bits.read(4)
    const isReplication = kind === SPECTRAL_REPLICATION || kind === SPECTRAL_REPLICATION_SUMMED
    // It belongs to the element before. Without one, decoders differ in what they skip.
    if (isReplication && !hasChannel) bits.fail()
    const taken = kind === DYNAMIC_RANGE ? readDynamicRange(bits) : bytes
    if (kind !== DYNAMIC_RANGE) bits.skip(bytes * 8 - 4)
    if (taken > bytes) bits.fail()
    bytes -= taken
  }
}

/** The number of bytes that it takes, including the one with its type. */
function readDynamicRange(bits: Bits): number {
  const start = bits.at - 4
  if (bits.read(1) === 1) bits.skip(8)
  if (bits.read(1) === 1) readExclusions(bits)
  let bands = 1
  if (bits.read(1) === 1) {
    bands += bits.read(4)
    bits.skip(4 + bands * 8)
  }
  if (bits.read(1) === 1) bits.skip(8)
  bits.skip(bands * 8)
  return (bits.at - start) / 8
}

/** Seven channels at a time, each group with a bit that says whether there are more. */
function readExclusions(bits: Bits): void {
  let times = 1
  while ((bits.read(8) & 1) === 1 && !bits.isPast) times += 1
  if (times > MOST_EXCLUSIONS) bits.fail()
}
