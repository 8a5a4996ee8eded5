// Sound files for tests: those of the fixtures, and ones put together from packets.
import { readFileSync } from 'node:fs'

export function soundFile(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/sound/${name}`, import.meta.url))
}

function element(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(content.length, 4)
  size[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}

const number = (id: string, value: number) => element(id, Buffer.from([value]))

/** One track, all packets at the same time. */
export function matroska(codec: string, rate: number, head: Buffer, packets: Buffer[]): Buffer {
  const played = Buffer.alloc(8)
  played.writeDoubleBE(rate)
  const track = [
    number('d7', 1),
    number('83', 2),
    element('86', Buffer.from(codec)),
    element('63a2', head),
    element('e1', element('b5', played)),
  ]
  const blocks = packets.map((packet) =>
    element('a3', Buffer.concat([Buffer.from([0x81, 0, 0, 0]), packet])),
  )
  const parts = [element('1654ae6b', element('ae', Buffer.concat(track))), ...blocks]
  return Buffer.concat([
    element('1a45dfa3', Buffer.alloc(0)),
    element('18538067', Buffer.concat(parts)),
  ])
}
