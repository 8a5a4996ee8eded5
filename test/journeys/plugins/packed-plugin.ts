// Packed plugins as npm makes them, and as nobody should.
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'

export interface PackedEntry {
  path: string
  text?: string
  /** Default: a file. */
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice'
  linkpath?: string
  /** Said in the header, whatever the text is. */
  size?: number
}

export function packed(entries: readonly PackedEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = 'File', linkpath, size }) => {
    const body = Buffer.from(text)
    const header = new Header({
      path,
      type,
      mode: 0o777,
      size: type === 'File' ? (size ?? body.length) : 0,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath }),
    })
    header.encode()
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512)
    return [header.block ?? Buffer.alloc(512), body, padding]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** As `npm pack` lays it out. */
export function packedPlugin(files: Readonly<Record<string, string>>): Buffer {
  return packed(Object.entries(files).map(([path, text]) => ({ path: `package/${path}`, text })))
}
