import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { audioSeconds } from './audio-seconds.ts'

/** Frames of 32 kbit/s at 16 kHz, layer III of version 2: 144 bytes and 36 ms each. */
const MP3_FRAME = Buffer.concat([Buffer.from([0xff, 0xf3, 0x48, 0xc4]), Buffer.alloc(140)])
const MP3_FRAME_SECONDS = 0.036
/** What the size of 3000 of them allows at 320 kbit/s. */
const MP3_LEAST_SECONDS = (3000 * 144) / 40_000

function mp3(frames: number, first: Buffer = MP3_FRAME): Buffer {
  return Buffer.concat([first, ...Array.from({ length: frames - 1 }, () => MP3_FRAME)])
}

/** The tag of an encoder, which says how many frames follow; any number can stand there. */
function taggedFrame(frames: number): Buffer {
  const frame = Buffer.from(MP3_FRAME)
  frame.write('Xing', 4 + 9, 'latin1')
  frame.writeUInt32BE(3, 4 + 13)
  frame.writeUInt32BE(frames, 4 + 17)
  frame.writeUInt32BE(144, 4 + 21)
  return frame
}

function id3(bytes: number): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 127)
  return Buffer.concat([
    Buffer.from('ID3\x04\0\0', 'latin1'),
    Buffer.from(size),
    Buffer.alloc(bytes),
  ])
}

/** Frames of 100 bytes that say they hold one block of 1024 samples at 16 kHz. */
function adts(frames: number, blocks = 1): Buffer {
  const head = [0xff, 0xf1, 0x60, 0x40, 100 >> 3, ((100 & 7) << 5) | 0x1f, 0xfc]
  const silence = Array.from({ length: blocks }, () => [0, 0, 0, 7]).flat()
  const frame = Buffer.concat([Buffer.from([...head, ...silence]), Buffer.alloc(93)], 100)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

interface WavHead {
  bytesPerSecond?: number
  dataBytes?: number
}

/** Sound of 16 bits at 16 kHz, whatever the head says. */
function wav(seconds: number, { bytesPerSecond = 32_000, dataBytes }: WavHead = {}): Buffer {
  const data = Buffer.alloc(seconds * 32_000)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(16_000, 24)
  head.writeUInt32LE(bytesPerSecond, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(dataBytes ?? data.length, 40)
  return Buffer.concat([head, data])
}

/** What a WAV says of its sound, in front of some other format's frames. */
function wavOf(sound: Buffer, format: number, extensible?: Buffer): Buffer {
  const chunk = (id: string, data: Buffer) => {
    const head = Buffer.from(`${id}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data])
  }
  const said = Buffer.alloc(16)
  said.writeUInt16LE(format, 0)
  said.writeUInt16LE(8, 2)
  said.writeUInt32LE(192_000, 4)
  said.writeUInt32LE(192_000 * 32, 8)
  said.writeUInt16LE(32, 12)
  said.writeUInt16LE(32, 14)
  const chunks = [chunk('fmt ', Buffer.concat([said, extensible ?? Buffer.alloc(0)]))]
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks, chunk('data', sound)]))
}

function extensible(format: number): Buffer {
  return Buffer.concat([
    Buffer.from([22, 0, 32, 0, 0, 0, 0, 0, format, 0]),
    Buffer.from('000000001000800000aa00389b71', 'hex'),
  ])
}

/** Frames of 4096 samples at 16 kHz in 1000 bytes, behind a head that says whatever it likes. */
function flac(frames: number, said: { rate: bigint; samples: bigint }): Buffer {
  const info = Buffer.alloc(34)
  info.writeUInt16BE(4096, 0)
  info.writeUInt16BE(4096, 2)
  info.writeBigUInt64BE((said.rate << 44n) | (7n << 41n) | (15n << 36n) | said.samples, 10)
  const frame = Buffer.alloc(1000)
  Buffer.from([0xff, 0xf8, 0xc5, 0x08, 0x00, 0x6f]).copy(frame)
  const head = Buffer.from([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34])
  return Buffer.concat([head, info, ...Array.from({ length: frames }, () => frame)])
}

function oggPage(sequence: number, kind: number, granule: number, packet: Buffer): Buffer {
  const laces = Array.from({ length: Math.floor(packet.length / 255) }, () => 255)
  const segments = Buffer.from([...laces, packet.length % 255])
  const head = Buffer.alloc(27)
  head.write('OggS', 0)
  head[5] = kind
  head.writeUInt32LE(granule, 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = segments.length
  const page = Buffer.concat([head, segments, packet])
  page.writeUInt32LE(checksum(page), 22)
  return page
}

function checksum(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

function opus(saidSeconds: number, pages: number): Buffer {
  const opusHead = Buffer.alloc(19)
  opusHead.write('OpusHead\x01\x01', 0, 'latin1')
  opusHead.writeUInt32LE(48_000, 12)
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])
  const sound = Array.from({ length: pages }, (_, page) => {
    const isLast = page === pages - 1
    const granule = Math.round((saidSeconds * 48_000 * (page + 1)) / pages)
    return oggPage(page + 2, isLast ? 4 : 0, granule, Buffer.alloc(4000))
  })
  return Buffer.concat([oggPage(0, 2, 0, opusHead), oggPage(1, 0, 0, tags), ...sound])
}

/** As browsers record: sizes unknown, no length at the head. One block a second. */
function webm(seconds: number): Buffer {
  const element = (id: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(id, 'hex'),
      Buffer.from([0x10 | (data.length >> 24), data.length >> 16, data.length >> 8, data.length]),
      data,
    ])
  const open = (id: string) => Buffer.from(`${id}01ffffffffffffff`, 'hex')
  const clusters = Array.from({ length: seconds }, (_, second) => {
    const time = Buffer.alloc(4)
    time.writeUInt32BE(second * 1000)
    const block = Buffer.concat([Buffer.from([0x81, 0x03, 0xe8, 0x80]), Buffer.alloc(4000)])
    return Buffer.concat([open('1f43b675'), element('e7', time), element('a3', block)])
  })
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    open('18538067'),
    element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))),
    element(
      '1654ae6b',
      element(
        'ae',
        Buffer.concat([
          element('d7', Buffer.from([1])),
          element('83', Buffer.from([2])),
          element('86', Buffer.from('A_OPUS')),
        ]),
      ),
    ),
    ...clusters,
  ])
}

describe('the length of an audio file', () => {
  it.each([
    ['an MP3 of 32 kbit/s', mp3(1000), 1000 * MP3_FRAME_SECONDS],
    ['one behind padding', Buffer.concat([id3(50), Buffer.alloc(3000), mp3(1000)]), 36],
    ['one behind a picture', Buffer.concat([id3(50_000), mp3(1000)]), 36],
    [
      'one with noise between its frames',
      Buffer.concat([mp3(500), Buffer.alloc(900), mp3(500)]),
      36,
    ],
    ['one whose tag says a single frame', mp3(1000, taggedFrame(1)), 36],
    ['AAC in ADTS', adts(500), (500 * 1024) / 16_000],
    ['AAC in ADTS, several blocks in a frame', adts(100, 8), (100 * 8 * 1024) / 16_000],
    ['a WAV', wav(30), 30],
    ['a WAV whose head says a byte rate of 4 GB', wav(30, { bytesPerSecond: 0xffffffff }), 30],
    ['a WAV whose head says two bytes of sound', wav(30, { dataBytes: 2 }), 30],
    ['a FLAC', flac(100, { rate: 16_000n, samples: 409_600n }), 25.6],
    ['a FLAC whose head says one sample', flac(100, { rate: 16_000n, samples: 1n }), 25.6],
    ['a FLAC whose head says 192 kHz', flac(100, { rate: 192_000n, samples: 409_600n }), 25.6],
    ['a recording of a browser', webm(20), 20],
  ])('is that of its frames: %s', async (_what, file, seconds) => {
    expect(await audioSeconds(file)).toBeCloseTo(seconds, 1)
  })

  it.each([
    ['MP3', wavOf(mp3(3000), 0x55), MP3_LEAST_SECONDS],
    ['GSM', wavOf(mp3(3000), 0x31), MP3_LEAST_SECONDS],
    ['µ-law of 32 bits', wavOf(Buffer.alloc(6_144_000), 7), 4],
    ['MP3 by its long name', wavOf(mp3(3000), 0xfffe, extensible(0x55)), MP3_LEAST_SECONDS],
  ])('believes a WAV its rate for raw sound alone: %s', async (_what, file, seconds) => {
    expect(await audioSeconds(file)).toBeGreaterThanOrEqual(seconds)
  })

  it('is never more than its size allows', async () => {
    const file = opus(80_000, 10)
    expect(await audioSeconds(file)).toBeCloseTo(file.length / 750, 5)
  })

  it.each([
    ['nothing known', Buffer.alloc(75_000, 'x')],
    ['a head alone', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(75_000)])],
    ['frames that are mostly something else', Buffer.concat([mp3(10), Buffer.alloc(75_000)])],
  ])('is the upper bound where it cannot be read: %s', async (_what, file) => {
    expect(await audioSeconds(file)).toBeCloseTo(file.length / 750, 5)
  })

  it('is 0 for an empty file', async () => {
    expect(await audioSeconds(new Uint8Array())).toBe(0)
  })

  it('leaves the loop free while it is read', async () => {
    const file = Buffer.alloc(25_000_000, Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]))
    const spentMs = processorTime()
    await Promise.all([audioSeconds(file), audioSeconds(mp3(100_000)), audioSeconds(file)])
    expect(spentMs()).toBeLessThan(500)
  })
})
