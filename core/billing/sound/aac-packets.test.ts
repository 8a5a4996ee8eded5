// Decoders play every block of a packet. Forged from true files: the same blocks, several to a packet.
import { describe, expect, it } from 'vitest'
import { matroska, soundFile } from '../../../test/fixtures/sound/sound-files.ts'
import { fileSeconds } from './file-seconds.ts'

/** Each with its sampling rate and what its head says of it. */
const files = [
  ['aac-8k.m4a', 8000, '1588'],
  ['aac.m4a', 16_000, '1408'],
  ['aac-24k.m4a', 24_000, '1308'],
  ['aac-32k.m4a', 32_000, '1288'],
  ['aac-44k.m4a', 44_100, '1210'],
  ['aac-5.1.m4a', 48_000, '11b0'],
  ['aac-64k.m4a', 64_000, '1108'],
  ['aac-96k.m4a', 96_000, '1010'],
] as const
const forged = files.flatMap(([name, rate, head]) =>
  [1, 2, 7, 12].map((blocks) => ({ name, rate, head: Buffer.from(head, 'hex'), blocks })),
)

/** Its blocks, which stand one behind the other. */
function blocksOf(name: string): Buffer[] {
  const file = soundFile(name)
  const table = file.indexOf('stsz')
  let at = file.readUInt32BE(file.indexOf('stco') + 12)
  return Array.from({ length: file.readUInt32BE(table + 12) }, (_, sample) => {
    const start = at
    at += file.readUInt32BE(table + 16 + sample * 4)
    return file.subarray(start, at)
  })
}

function packed(blocks: readonly Buffer[], size: number): Buffer[] {
  return Array.from({ length: Math.ceil(blocks.length / size) }, (_, packet) =>
    Buffer.concat(blocks.slice(packet * size, (packet + 1) * size)),
  )
}

/** The same bytes, its tables say that several blocks are one sample, all in one chunk; of time it says nothing. */
function packedMp4(name: string, size: number): Buffer {
  const file = soundFile(name)
  const packets = packed(blocksOf(name), size)
  const sizes = file.indexOf('stsz')
  file.writeUInt32BE(packets.length, sizes + 12)
  for (const [packet, { length }] of packets.entries()) {
    file.writeUInt32BE(length, sizes + 16 + packet * 4)
  }
  const chunks = file.indexOf('stsc')
  for (const [place, value] of [1, 1, packets.length, 1].entries()) {
    file.writeUInt32BE(value, chunks + 8 + place * 4)
  }
  file.writeUInt32BE(0, file.indexOf('mvhd') + 20)
  file.writeUInt32BE(0, file.indexOf('tkhd') + 24)
  return file
}

const ADTS_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000]

function adtsHead(rate: number, bytes: number, profile = 1): Buffer {
  const code = rate === 8000 ? 11 : ADTS_RATES.indexOf(rate)
  const head = Buffer.from([0xff, 0xf1, (profile << 6) | (code << 2), 0x40, 0, 0x1f, 0xfc])
  head.writeUIntBE(head.readUIntBE(3, 3) | ((bytes + 7) << 5), 3, 3)
  return head
}

function adts(rate: number, packet: Buffer, profile?: number): Buffer {
  return Buffer.concat([adtsHead(rate, packet.length, profile), packet])
}

describe('true files of AAC with several blocks to a packet', () => {
  it.each(forged)('Matroska, $name, $blocks blocks', async ({ name, rate, head, blocks }) => {
    const all = blocksOf(name)
    const file = matroska('A_AAC', rate, head, packed(all, blocks))
    expect(await fileSeconds(file)).toBeCloseTo((all.length * 1024) / rate, 6)
  })

  it.each(forged)('MP4, $name, $blocks blocks', async ({ name, rate, blocks }) => {
    const seconds = (blocksOf(name).length * 1024) / rate
    expect(await fileSeconds(packedMp4(name, blocks))).toBeCloseTo(seconds, 6)
  })

  it.each(forged)('ADTS, $name, $blocks blocks', async ({ name, rate, blocks }) => {
    const all = blocksOf(name)
    const file = Buffer.concat(packed(all, blocks).map((packet) => adts(rate, packet)))
    expect(await fileSeconds(file)).toBeCloseTo((all.length * 1024) / rate, 6)
  })
})

/** Bits as they are read, spaces aside, filled up to a whole byte. */
function bits(...parts: string[]): Buffer {
  const all = parts.join('').replaceAll(' ', '')
  const bytes = Buffer.alloc(Math.ceil(all.length / 8))
  for (let at = 0; at < all.length; at += 1) {
    if (all[at] === '1') bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7))
  }
  return bytes
}

const END = '111'
const zeros = (count: number) => '0'.repeat(count)
/** A channel of silence: no bands, no pulses, no filters, no gain control. */
const silence = zeros(8 + 11 + 3)
const single = `000 0000 ${silence}`
/** 1 024 or 960 zeros by codebook 5, of which one bit is two. In 49 bands at 48 kHz. */
function tone(samples: number): string {
  const windows = `${zeros(4)} 110001 0`
  return `000 0000 ${zeros(8)} ${windows} 0101 11111 10010 ${zeros(49)} 000 ${zeros(samples / 2)}`
}

const lowComplexity = Buffer.from('1188', 'hex')
const block = 1024 / 48_000

function packets(...content: Buffer[]) {
  return matroska('A_AAC', 48_000, lowComplexity, content)
}

describe('what a block of AAC may hold', () => {
  it.each([
    ['a tone', tone(1024)],
    ['no sound at all', ''],
    ['a pair of its own windows', `001 0000 0 ${silence} ${silence}`],
    ['a pair with windows in common', `001 0000 1 ${zeros(11)} 10 ${zeros(11)} ${zeros(11)}`],
    ['low frequencies', `${single} 011 0000 ${silence}`],
    ['data', `${single} 100 0000 0 00000010 1110000011100000`],
    ['aligned data', `${single} 100 0000 1 00000001 000 11100000`],
    ['padding', `${single} 110 0011 ${'1'.repeat(24)}`],
    ['much padding', `${single} 110 1111 00000010 ${'1'.repeat(16 * 8)}`],
    ['spectral replication', `${single} 110 0010 1101 111000001110`],
    ['its range', `${single} 110 0011 1011 0001 11100000 00000111`],
    ['its range, with channels left out', `${single} 110 0011 1011 0100 0000000 0 11100000`],
    ['a coupled channel', `${single} 010 0000 1 001 00000 00001 0000 ${silence} 0`],
    ['a program', `101 0000 ${zeros(6)} 0001 ${zeros(17)} 000 00000 ${zeros(6)} 00000001 11100000`],
  ])('%s', async (_what, content) => {
    const one = bits(content, END)
    const three = Buffer.concat([one, one, one])
    expect(await fileSeconds(packets(three, three))).toBeCloseTo(6 * block, 6)
  })

  it('reads blocks of 960 samples', async () => {
    const one = bits(tone(960), END)
    const file = matroska('A_AAC', 48_000, Buffer.from('118c', 'hex'), [Buffer.concat([one, one])])
    expect(await fileSeconds(file)).toBeCloseTo((2 * 960) / 48_000, 6)
  })

  it.each([
    ['of the lower half, where the head says what is replicated', '2b118800', 24_000],
    ['of the lower half, stereo by parameters', 'eb118800', 24_000],
  ])('counts by the rate %s', async (_what, head, rate) => {
    const one = bits(single, '110 0010 1101 111000001110', END)
    const file = matroska('A_AAC', 48_000, Buffer.from(head, 'hex'), [Buffer.concat([one, one])])
    expect(await fileSeconds(file)).toBeCloseTo((2 * 1024) / rate, 6)
  })

  it('passes over zeros at the end of a packet', async () => {
    const one = Buffer.concat([bits(tone(1024), END), Buffer.alloc(400)])
    expect(await fileSeconds(packets(one, one))).toBeCloseTo(2 * block, 6)
  })
})

const rest = Buffer.alloc(1500, 0x55)

describe('AAC that is not read pays by its size', () => {
  it.each([
    ['a codebook that does not exist', `000 0000 ${zeros(12)} 000001 0 1100 00001`],
    ['more bands than there are', `000 0000 ${zeros(12)} 111111 0`],
    ['prediction', `000 0000 ${zeros(12)} 000000 1`],
    ['gain control', `000 0000 ${zeros(8 + 11 + 2)} 1`],
    ['pulses in short windows', `000 0000 ${zeros(8)} 0100 ${zeros(11)} 1`],
    ['spectral replication of nothing', '110 0010 1101 111000001110'],
    ['a range that is longer than it says', `${single} 110 0001 1011 0001`],
    ['data that does not end', `${single} 100 0000 0 11111111 11111111`],
  ])('%s', async (_what, content) => {
    const whole = bits(tone(1024), END)
    const packet = Buffer.concat([whole, bits(content), rest])
    const broken = packet.length - whole.length
    expect(await fileSeconds(packets(packet))).toBeCloseTo(block + broken / 750, 6)
  })

  it.each([
    ['SSR', '1988'],
    ['LTP', '2188'],
    ['low delay', 'b988'],
    ['error-resilient', '8988'],
  ])('%s', async (_what, head) => {
    const one = bits(tone(1024), END)
    const file = matroska('A_AAC', 48_000, Buffer.from(head, 'hex'), [Buffer.concat([one, rest])])
    expect(await fileSeconds(file)).toBeCloseTo((one.length + rest.length) / 750, 6)
  })

  it('and never less than a block for a packet', async () => {
    expect(await fileSeconds(packets(Buffer.from([0x55]), Buffer.from([0x55])))).toBe(2 * block)
  })
})

describe('heads of ADTS', () => {
  it('inside a packet are those by which it is played', async () => {
    const one = bits(single, END)
    const slow = Buffer.concat([adts(8000, one), one])
    const file = packets(Buffer.concat([one, one]), slow, one)
    expect(await fileSeconds(file)).toBeCloseTo(2 * block + (3 * 1024) / 8000, 6)
  })

  it('of another object type are charged by size', async () => {
    const file = Buffer.concat([1, 2, 3].map(() => adts(48_000, rest, 2)))
    expect(await fileSeconds(file)).toBeCloseTo((3 * (rest.length + 7)) / 750, 6)
  })

  it('count as many blocks as they say at least', async () => {
    const frame = adts(48_000, bits(single, END))
    frame[6] = (frame[6] ?? 0) | 3
    expect(await fileSeconds(Buffer.concat([frame, frame, frame]))).toBeCloseTo(12 * block, 6)
  })

  it('may be left out of some blocks, which pay by size', async () => {
    const one = bits(tone(1024), END)
    const part = Buffer.concat([adts(48_000, one), one])
    const last = adts(48_000, Buffer.concat([one, one, one, one]))
    const seconds = await fileSeconds(Buffer.concat([part, part, part, last]))
    expect(seconds).toBeGreaterThan(10 * block)
  })
})

it.each([
  ['zeros', Buffer.alloc(4_000_000)],
  ['ones', Buffer.alloc(4_000_000, 255)],
  ['empty blocks', Buffer.alloc(4_000_000, 0xe0)],
  ['silent blocks', Buffer.alloc(4_000_000, bits(single, END))],
  [
    'a block that is cut off before its sound',
    Buffer.alloc(4_000_000, bits(tone(1024)).subarray(0, 14)),
  ],
])('ends soon, in one packet and in many: %s', async (_what, content) => {
  for (const size of [14, 200, content.length]) {
    const many = Array.from({ length: Math.min(20_000, content.length / size) }, (_, packet) =>
      content.subarray(packet * size, (packet + 1) * size),
    )
    const seconds = await fileSeconds(packets(...many))
    expect(seconds).toBeGreaterThanOrEqual(many.length * block)
  }
})
