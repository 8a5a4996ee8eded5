import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileSeconds } from './file-seconds.ts'

/** Files of three seconds; their README says how they were made. */
function sound(name: string): Buffer {
  return readFileSync(new URL(`../../../test/fixtures/sound/${name}`, import.meta.url))
}

const names = [
  'opus.ogg vorbis.ogg flac.ogg speex.ogg',
  'opus.webm film.webm vorbis.webm aac.mkv mp3.mkv',
  'aac.m4a fragments.mp4 alac.m4a opus.mp4',
  'mp3.wav adpcm-ms.wav adpcm-ima.wav gsm.wav',
].flatMap((line) => line.split(' '))

/** Each place where the file names a part of itself. */
function places(file: Buffer, name: string): number[] {
  const found: number[] = []
  for (let at = file.indexOf(name); at >= 0; at = file.indexOf(name, at + 1)) found.push(at)
  return found
}

function checksum(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

/** The file with each of its Ogg pages changed, and sealed again. */
function withPages(file: Buffer, change: (page: Buffer, index: number) => void): Buffer {
  const pages = places(file, 'OggS').map((at, index, all) => {
    const page = Buffer.from(file.subarray(at, all[index + 1]))
    change(page, index)
    page.writeUInt32LE(0, 22)
    page.writeUInt32LE(checksum(page), 22)
    return page
  })
  return Buffer.concat(pages)
}

/** Its pages say hardly any time. */
function hastyOgg(file: Buffer): Buffer {
  return withPages(file, (page, index) => page.writeBigInt64LE(BigInt(index), 6))
}

/** A unit of time is a nanosecond. */
function hastyMatroska(file: Buffer): Buffer {
  const forged = Buffer.from(file)
  const at = forged.indexOf(Buffer.from('2ad7b1830f4240', 'hex'))
  forged.writeUIntBE(1, at + 4, 3)
  return forged
}

/** Heads, tables and fragments say that a sample takes one unit of time, and all of them one. */
function hastyMp4(file: Buffer): Buffer {
  const forged = Buffer.from(file)
  const write = (name: string, place: number) => {
    for (const at of places(forged, name)) forged.writeUInt32BE(1, at + 4 + place)
  }
  write('mvhd', 16)
  write('tkhd', 20)
  write('mdhd', 16)
  for (const at of places(forged, 'stts')) {
    const entries = forged.readUInt32BE(at + 8)
    for (let entry = 0; entry < entries; entry += 1) forged.writeUInt32BE(1, at + 16 + entry * 8)
  }
  return forged
}

/** Its head says a megabyte a second, and one block of sound. */
function hastyWav(file: Buffer): Buffer {
  const forged = Buffer.from(file)
  forged.writeUInt32LE(1_000_000, forged.indexOf('fmt ') + 16)
  forged.writeUInt32LE(1, forged.indexOf('data') + 4)
  const fact = forged.indexOf('fact')
  if (fact > 0) forged.writeUInt32LE(1, fact + 8)
  return forged
}

function forged(name: string): Buffer {
  const file = sound(name)
  if (name.endsWith('.ogg')) return hastyOgg(file)
  if (name.endsWith('.wav')) return hastyWav(file)
  return /\.m/.test(name) && !name.endsWith('.mkv') ? hastyMp4(file) : hastyMatroska(file)
}

/** Of one page's sound, laced by the size of its packets. */
function oggPage(index: number, kind: number, packets: Buffer[], serial = 7): Buffer {
  const laces = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = kind
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(index, 18)
  head[26] = laces.length
  const page = Buffer.concat([head, Buffer.from(laces), ...packets])
  page.writeUInt32LE(checksum(page), 22)
  return page
}

const opusHead = Buffer.concat([
  Buffer.from('OpusHead\x01\x01', 'latin1'),
  Buffer.from([0, 0, 0x80, 0x3e, 0, 0, 0, 0, 0]),
])
const opusTags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])

/** Pages of one Opus packet each, beginning as given. */
function opus(packets: number, first: number[]): Buffer {
  const packet = Buffer.concat([Buffer.from(first), Buffer.alloc(60)])
  const pages = Array.from({ length: packets }, (_, index) => oggPage(index + 2, 0, [packet]))
  return Buffer.concat([oggPage(0, 2, [opusHead]), oggPage(1, 0, [opusTags]), ...pages])
}

describe('the length of a sound file', () => {
  it.each(names)('is that of its sound: %s', async (name) => {
    const seconds = await fileSeconds(sound(name))
    expect(seconds).toBeGreaterThan(2.98)
    expect(seconds).toBeLessThan(3.1)
  })

  it.each(names)('stays what it is when the file says it is short: %s', async (name) => {
    expect(await fileSeconds(forged(name))).toBeGreaterThan(2.98)
  })

  it.each(names)('is near to that of what came, where the end is cut off: %s', async (name) => {
    const file = sound(name)
    const seconds = await fileSeconds(file.subarray(0, Math.round(file.length * 0.85)))
    expect(seconds).toBeGreaterThan(1.2)
  })

  it('sums up the links of a chain in Ogg, of one kind and of several', async () => {
    const chain = Buffer.concat([sound('opus.ogg'), sound('opus.ogg'), sound('vorbis.ogg')])
    expect(await fileSeconds(chain)).toBeGreaterThan(8.9)
    expect(await fileSeconds(chain)).toBeLessThan(9.3)
  })

  it.each([
    ['SILK, 60 ms', [0x18], 0.06],
    ['a hybrid, 20 ms', [0x68], 0.02],
    ['CELT, 2.5 ms', [0x80], 0.0025],
    ['two frames of 20 ms', [0x09], 0.04],
    ['six frames of 20 ms', [0x0b, 6], 0.12],
    ['more frames than a packet may hold', [0x0b, 48], 0.12],
  ])('counts an Opus packet by its first bytes: %s', async (_what, first, seconds) => {
    expect(await fileSeconds(opus(400, first))).toBeCloseTo(400 * seconds, 5)
  })

  it('counts streams that sound at once by the longest', async () => {
    const first = oggPage(0, 2, [opusHead], 1)
    const second = oggPage(0, 2, [opusHead], 2)
    const tags = [oggPage(1, 0, [opusTags], 1), oggPage(1, 0, [opusTags], 2)]
    const packet = Buffer.concat([Buffer.from([0x08]), Buffer.alloc(60)])
    const pages = Array.from({ length: 200 }, (_, index) => [
      oggPage(index + 2, 0, [packet], 1),
      oggPage(index + 2, 0, [packet], 2),
    ])
    const file = Buffer.concat([first, second, ...tags, ...pages.flat()])
    expect(await fileSeconds(file)).toBeCloseTo(4, 5)
  })

  it('reads the pages that a damaged one says are its own', async () => {
    const decoy = Buffer.concat([
      Buffer.from('OggS\0\0', 'latin1'),
      Buffer.alloc(8),
      Buffer.from([7, 0, 0, 0]),
      Buffer.alloc(8),
      Buffer.from([255]),
      Buffer.alloc(255, 255),
    ])
    const file = opus(400, [0x08])
    const place = file.indexOf('OggS', 200)
    const hidden = Buffer.concat([file.subarray(0, place), decoy, file.subarray(place)])
    expect(await fileSeconds(hidden)).toBeGreaterThan(7.9)
  })

  it('counts sound of an unknown codec as the densest', async () => {
    const packets = Array.from({ length: 100 }, (_, index) =>
      oggPage(index + 1, 0, [Buffer.alloc(750)]),
    )
    const file = Buffer.concat([oggPage(0, 2, [Buffer.from('Mystery')]), ...packets])
    expect(await fileSeconds(file)).toBeGreaterThan(99)
  })

  it('counts each of several blocks of AAC in one sample', async () => {
    const file = Buffer.from(sound('aac.m4a'))
    const table = file.indexOf('stsz')
    const count = file.readUInt32BE(table + 12)
    const bytes = Array.from({ length: count }, (_, sample) =>
      file.readUInt32BE(table + 16 + sample * 4),
    ).reduce((sum, size) => sum + size, 0)
    // All sound in a single sample.
    file.writeUInt32BE(1, table + 12)
    file.writeUInt32BE(bytes, table + 16)
    expect(await fileSeconds(file)).toBeGreaterThanOrEqual(Math.ceil(bytes / 768) * 0.064 - 0.001)
  })

  it('does not read samples that lie over each other', async () => {
    const file = Buffer.from(sound('aac.m4a'))
    const table = file.indexOf('stsz')
    file.writeUInt32BE(5_000, table + 8)
    file.writeUInt32BE(4_000_000_000, table + 12)
    const runs = file.indexOf('stsc')
    file.writeUInt32BE(4_000_000_000, runs + 16)
    expect(await fileSeconds(file)).toBeCloseTo(file.length / 750, 5)
  })

  it.each([
    ['an Ogg file', 'opus.ogg'],
    ['a WebM file', 'opus.webm'],
  ])('looks behind tags: %s', async (_what, name) => {
    const tag = Buffer.from('ID3\x04\0\0\0\0\0\x0a0123456789', 'latin1')
    expect(await fileSeconds(Buffer.concat([tag, sound(name)]))).toBeLessThan(3.1)
  })

  it.each(names)('is a number, whatever is damaged: %s', async (name) => {
    const whole = sound(name)
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 60; round += 1) {
      const file = Buffer.from(whole.subarray(0, whole.length - random(round * 10 + 1)))
      for (let change = 0; change < 12; change += 1) {
        // Heads are where damage tells.
        file[random(change % 2 ? file.length : 800)] = change % 3 ? random(256) : 255
      }
      const seconds = await fileSeconds(file)
      expect(Number.isFinite(seconds) && seconds >= 0).toBe(true)
    }
  })
})
