// Files whose containers and heads say something else than what decoders play by. All are charged for what is heard.
import { expect, it } from 'vitest'
import { matroska } from '../../../test/fixtures/sound/sound-files.ts'
import { fileSeconds } from './file-seconds.ts'

/** 32 kbit/s at 48 kHz. */
function ac3Frame(): Buffer {
  const frame = Buffer.alloc(128)
  frame.set([0x0b, 0x77, 0, 0, 0, 8 << 3])
  return frame
}

function crc8(data: Buffer): number {
  let sum = 0
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x80 ? (sum << 1) ^ 7 : sum << 1) & 255
  }
  return sum
}

/** 4 096 samples of one channel. */
function flacFrame(rateCode: number): Buffer {
  const head = Buffer.from([0xff, 0xf8, (12 << 4) | rateCode, 0x08, 0])
  return Buffer.concat([head, Buffer.from([crc8(head)]), Buffer.alloc(50)])
}

function flacHead(rate: number): Buffer {
  const head = Buffer.alloc(42)
  head.write('fLaC')
  head.writeUIntBE(rate << 4, 18, 3)
  return head
}

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))

it('counts frames of AC-3 by the rate that they say themselves, and all of a packet', async () => {
  const packet = Buffer.concat(many(20, ac3Frame))
  const file = matroska(
    'A_AC3',
    1e7,
    Buffer.alloc(0),
    many(5, () => packet),
  )
  expect(await fileSeconds(file)).toBeCloseTo(100 * 0.032, 3)
})

it.each([
  ['the head', 16_000, 0],
  ['the frames', 192_000, 5],
  ['the lower one', 16_000, 11],
])('counts FLAC by the rate of %s, not by that of the container', async (_what, rate, code) => {
  const file = matroska(
    'A_FLAC',
    1e7,
    flacHead(rate),
    many(10, () => flacFrame(code)),
  )
  expect(await fileSeconds(file)).toBeCloseTo((10 * 4096) / 16_000, 3)
})

it('counts FLAC that says no rate by a low one', async () => {
  const file = Buffer.concat([flacHead(0), ...many(10, () => flacFrame(0))])
  expect(await fileSeconds(file)).toBeCloseTo((10 * 4096) / 8000, 3)
})

it('counts frames of MPEG between which something stands', async () => {
  // Of version 2.5 at 8 kHz: 8 kbit/s and 160 kbit/s.
  const [real, filling] = [
    [0x18, 72],
    [0xe8, 1440],
  ].map(([third = 0, bytes = 0]) => {
    const frame = Buffer.alloc(bytes)
    frame.set([0xff, 0xe3, third, 0xc4])
    return frame
  })
  const held = many(18, () => [real, Buffer.alloc(1)]).flat()
  const parts = many(10, () => [filling, ...held]).flat()
  const seconds = await fileSeconds(Buffer.concat(parts.flatMap((part) => part ?? [])))
  expect(seconds).toBeCloseTo(190 * 0.072, 3)
})

it('charges AIFF with two heads by its size', async () => {
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name)
    head.writeUInt32BE(content.length, 4)
    return Buffer.concat([head, content])
  }
  const head = (exponent: number) => {
    const content = Buffer.alloc(18)
    content.writeUInt16BE(1, 0)
    content.writeUInt16BE(16, 6)
    content.writeUInt16BE(0x3fff + exponent, 8)
    content.writeUInt16BE(0xfa00, 10)
    return chunk('COMM', content)
  }
  const sound = chunk('SSND', Buffer.alloc(16_008))
  const file = (...parts: Buffer[]) => chunk('FORM', Buffer.concat([Buffer.from('AIFF'), ...parts]))
  const bytes = file(head(13), sound).length
  expect(await fileSeconds(file(head(13), sound))).toBeCloseTo(bytes / 32_000, 3)
  const forged = file(head(13), sound, head(17))
  expect(await fileSeconds(forged)).toBeCloseTo(forged.length / 750, 3)
})
