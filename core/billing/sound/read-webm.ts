// The length of a WebM or Matroska file by the time stamps of its blocks: what browsers record tells no length at its
// head. Source: RFC 9559 (elements, blocks) and RFC 8794 (EBML).

const HEAD = 0x1a45dfa3
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const CLUSTER = 0x1f43b675
const BLOCK_GROUP = 0xa0
const TRACKS = 0x1654ae6b
const TRACK = 0xae
/** Looked into: their content follows as if it stood beside them, so that sizes that are unknown need none. */
const opened: ReadonlySet<number> = new Set([SEGMENT, INFO, CLUSTER, BLOCK_GROUP, TRACKS, TRACK])
const TIMESTAMP_SCALE = 0x2ad7b1
const CLUSTER_TIMESTAMP = 0xe7
const TRACK_TYPE = 0x83
const VIDEO = 1
const blocks: ReadonlySet<number> = new Set([0xa1, 0xa3])

const NANOSECONDS = 1_000_000_000
const USUAL_SCALE = 1_000_000

/** Undefined when the bytes are no such file, or hold no block. */
export function readWebm(data: Buffer): { duration: number; hasVideo: boolean } | undefined {
  if (data.length < 4 || data.readUInt32BE(0) !== HEAD) return undefined
  let scale = USUAL_SCALE
  let cluster = 0
  let hasVideo = false
  let last = 0
  let at = 0
  while (at < data.length) {
    const element = elementAt(data, at)
    if (!element) break
    const { id, start, size } = element
    if (id === TIMESTAMP_SCALE) scale = unsigned(data, start, size)
    else if (id === CLUSTER_TIMESTAMP) cluster = unsigned(data, start, size)
    else if (id === TRACK_TYPE) hasVideo ||= unsigned(data, start, size) === VIDEO
    else if (blocks.has(id)) last = Math.max(last, cluster + blockTime(data, start))
    at = opened.has(id) ? start : start + size
  }
  return last > 0 ? { duration: (last * scale) / NANOSECONDS, hasVideo } : undefined
}

interface Element {
  id: number
  start: number
  size: number
}

function elementAt(data: Buffer, at: number): Element | undefined {
  const idBytes = Math.clz32(data[at] ?? 0) - 23
  if (idBytes > 4 || at + idBytes >= data.length) return undefined
  const sizeAt = at + idBytes
  const sizeBytes = Math.clz32(data[sizeAt] ?? 0) - 23
  if (sizeBytes > 8 || sizeAt + sizeBytes > data.length) return undefined
  const first = (data[sizeAt] ?? 0) & (0xff >> sizeBytes)
  let size = first
  for (let next = 1; next < sizeBytes; next += 1) size = size * 256 + (data[sizeAt + next] ?? 0)
  return { id: data.readUIntBE(at, idBytes), start: sizeAt + sizeBytes, size }
}

function unsigned(data: Buffer, start: number, size: number): number {
  return size >= 1 && size <= 6 && start + size <= data.length ? data.readUIntBE(start, size) : 0
}

/** Behind the track's number stands the time since the cluster's. */
function blockTime(data: Buffer, start: number): number {
  const at = start + Math.clz32(data[start] ?? 0) - 23
  return at + 2 <= data.length ? data.readInt16BE(at) : 0
}
