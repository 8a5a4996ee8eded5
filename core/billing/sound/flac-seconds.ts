// The length of a FLAC file, as the sum of its frames, because decoders are not bound to the rate and length in its
// header. Source: RFC 9639, section 9.1.

const SYNC = 0xff
/** The second byte of a frame header, for fixed and for variable block sizes. */
const secondBytes: ReadonlySet<number> = new Set([0xf8, 0xf9])
const SHORTEST_HEADER = 6

/** By code. 0 is the rate of the file header; 12 to 14 are stated at the end of the frame header. */
const RATES = [
  0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
] as const
const RATE_UNITS: Readonly<Record<number, number>> = { 12: 1000, 13: 1, 14: 10 }
const MOST_CHANNEL_CODE = 10

/** The rate if neither the file nor a frame states one. */
const LOWEST_RATE = 8000
const RATE_AT = 18

/** The rate in the header that follows four bytes (`fLaC`, or what MP4 has instead); 0 if there is none. */
export function flacHeadRate(head: Buffer): number {
  return head.length >= RATE_AT + 3 ? head.readUIntBE(RATE_AT, 3) >> 4 : 0
}

/** Some decoders play by the rate of the file, some by that of each frame. If they differ, the lower one counts. Random
 *  data looks like a frame header about once in ten megabytes. */
export function flacSeconds(data: Buffer, headRate: number): number {
  let seconds = 0
  let at = data.indexOf(SYNC)
  while (at >= 0 && at + SHORTEST_HEADER <= data.length) {
    const frame = secondBytes.has(data[at + 1] ?? 0) ? frameAt(data, at, headRate) : undefined
    seconds += frame?.seconds ?? 0
    at = data.indexOf(SYNC, at + (frame?.headerBytes ?? 1))
  }
  return seconds
}

function frameAt(data: Buffer, start: number, headRate: number) {
  const codes = data[start + 2] ?? 0
  const layout = data[start + 3] ?? 0
  const sizeCode = codes >> 4
  const rateCode = codes & 15
  if (sizeCode === 0 || rateCode === 15) return undefined
  if (layout >> 4 > MOST_CHANNEL_CODE || (layout & 1) === 1) return undefined
  let at = start + 4 + numberBytes(data[start + 4] ?? 0)
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0
  if (at + sizeBytes + rateBytes >= data.length) return undefined
  const samples = sizeBytes === 0 ? blockSize(sizeCode) : data.readUIntBE(at, sizeBytes) + 1
  at += sizeBytes
  const unit = RATE_UNITS[rateCode]
  const own = unit ? data.readUIntBE(at, rateBytes) * unit : (RATES[rateCode] ?? 0)
  const rates = [own, headRate].filter((one) => one > 0)
  const rate = rates.length > 0 ? Math.min(...rates) : LOWEST_RATE
  at += rateBytes
  if (checksum(data, start, at) !== data[at]) return undefined
  return { seconds: samples / rate, headerBytes: at + 1 - start }
}

/** The length of the frame's number, which is written like a character in UTF-8. */
function numberBytes(first: number): number {
  return first < 0x80 ? 1 : Math.max(1, Math.clz32(~(first << 24)))
}

function blockSize(code: number): number {
  if (code === 1) return 192
  return code < 8 ? 576 << (code - 2) : 256 << (code - 8)
}

/** CRC-8 with the polynomial x⁸ + x² + x + 1. */
function checksum(data: Buffer, start: number, end: number): number {
  let sum = 0
  for (let at = start; at < end; at += 1) {
    sum ^= data[at] ?? 0
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x80 ? (sum << 1) ^ 0x07 : sum << 1) & 0xff
  }
  return sum
}
