// Reads width and height from the first bytes of a picture in a format that models accept: PNG, GIF, WebP or JPEG.

export interface ImageSize {
  width: number
  height: number
}

/** Enough for the header of any picture but one with very large metadata. */
const HEADER_BYTES = 65_536

export function imageSizeOfBase64(data: string): ImageSize | undefined {
  return imageSize(Buffer.from(data.slice(0, Math.ceil((HEADER_BYTES * 4) / 3)), 'base64'))
}

export function imageSize(bytes: Buffer): ImageSize | undefined {
  const size = sizeByFormat(bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function sizeByFormat(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const mark = bytes.toString('latin1', 0, 4)
  if (mark === 'GIF8') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (mark === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes)
  return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined
}

/** WebP has three headers: lossy, lossless and extended. Source: developers.google.com/speed/webp/docs/riff_container */
function webpSize(bytes: Buffer): ImageSize | undefined {
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return chunk === 'VP8X'
    ? { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    : undefined
}

/** Walks the segments to the frame header (SOF0 to SOF15, which DHT, JPG and DAC interrupt). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
