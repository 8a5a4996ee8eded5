// Copies a plugin's files into a folder, from a packed file or another folder. Only regular files and folders are
// allowed, in limited number and size.
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry, Unpack } from 'tar'
import { AppError } from '../contract/errors.ts'
import { Bounds, MAX_BYTES, tooMany } from './bounds.ts'
import { refuse } from './install-errors.ts'
import { errorText } from '../kernel/error-text.ts'

const MAX_PATH = 400
const MAX_DEPTH = 32

/** Checks the whole archive before anything is written, because writing one that is refused at its end would take long.
 *  @throws plugins.not_installable */
export async function unpack(file: string, into: string): Promise<void> {
  await passThrough(file, (options) => new Parser({ ...options, onReadEntry: skip }))
  await passThrough(
    file,
    (options) =>
      new Unpack({
        ...options,
        cwd: into,
        preserveOwner: false,
        noMtime: true,
        maxDepth: MAX_DEPTH,
      }),
  )
}

const skip = (entry: ReadEntry) => entry.resume()

type ReaderOptions = Required<
  Pick<NonNullable<ConstructorParameters<typeof Parser>[0]>, 'filter' | 'strict'>
>

async function passThrough(
  file: string,
  readerOf: (options: ReaderOptions) => Parser,
): Promise<void> {
  const bounds = new Bounds()
  let fault: unknown
  const take = (path: string, entry: ReadEntry): boolean => {
    if (fault !== undefined) return false
    try {
      checkEntry(path, entry)
      bounds.take(entry.size)
      entry.mode = entry.type === 'Directory' ? 0o755 : 0o644
      return true
    } catch (error) {
      fault = error
      return false
    }
  }
  const target = readerOf({
    filter: (path, entry) => take(path, entry as ReadEntry),
    strict: true,
  })
  let isAtEnd = false
  target.once('eof', () => {
    isAtEnd = true
  })
  const counting = counted({ faultOf: () => fault, isAtEnd: () => isAtEnd })
  try {
    await pipeline(createReadStream(file), createGunzip(), counting, target)
  } catch (error) {
    fault ??= error
  }
  if (fault !== undefined) refuseFor(fault)
}

function refuseFor(fault: unknown): never {
  if (fault instanceof Error && 'code' in fault && fault.code === 'plugins.not_installable')
    throw fault
  return refuse(
    `the file cannot be unpacked (${wordsOf(fault)}). Make it with npm pack.`,
    `无法解包该文件（${wordsOf(fault)}）。请用 npm pack 生成。`,
  )
}

interface Reading {
  faultOf(): unknown
  /** True after the blocks that end an archive. */
  isAtEnd(): boolean
}

/** Limits the bytes between files too, and reads nothing more after a fault. Bytes behind the end of the archive are
 *  discarded: tar would collect them, copying all of them for every chunk. */
function counted({ faultOf, isAtEnd }: Reading): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      const fault = faultOf()
      if (fault !== undefined) return done(fault as Error)
      if (bytes <= 2 * MAX_BYTES) return isAtEnd() ? done() : done(null, chunk)
      try {
        tooMany()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

const plainTypes: ReadonlySet<string> = new Set([
  'File',
  'OldFile',
  'ContiguousFile',
  'Directory',
  'GNUDumpDir',
])

function checkEntry(path: string, { type, linkpath }: ReadEntry): void {
  const name = path.slice(0, 80)
  if (!plainTypes.has(type) || linkpath)
    refuse(
      `"${name}" in it is a link or a device. Pack plain files only.`,
      `其中的“${name}”是链接或设备。请只打包普通文件。`,
    )
  const parts = path.split('/')
  const isInside =
    path.length <= MAX_PATH &&
    !/^[A-Za-z]:|[\\\0]/.test(path) &&
    !path.startsWith('/') &&
    !parts.includes('..')
  if (!isInside)
    refuse(
      `"${name}" in it leads out of its folder or is too long.`,
      `其中的“${name}”指向文件夹之外或过长。`,
    )
}

/** Copies without what the author's tools leave in the folder.
 *  @throws plugins.not_installable */
export async function copyPlugin(from: string, into: string): Promise<void> {
  const isFolder = await stat(from).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder)
    refuse(`${from} is no folder on the gateway's machine.`, `${from} 不是网关所在机器上的文件夹。`)
  await copyInto(from, into, new Bounds(), 0).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    refuse(
      `not all of the folder can be read (${wordsOf(error)}). Let the gateway's user read it.`,
      `无法读取该文件夹的全部内容（${wordsOf(error)}）。请允许网关的用户读取。`,
    )
  })
}

const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git', '.npmrc'])

async function copyInto(from: string, into: string, bounds: Bounds, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) tooMany()
  await mkdir(into, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(into, entry.name)]
    if (entry.isDirectory()) {
      bounds.take(0)
      await copyInto(source, target, bounds, depth + 1)
    } else if (entry.isFile()) {
      bounds.take((await stat(source)).size)
      await copyFile(source, target)
    } else
      refuse(
        `"${entry.name}" in it is a link or a device. Use plain files only.`,
        `其中的“${entry.name}”是链接或设备。请只使用普通文件。`,
      )
  }
}

function wordsOf(fault: unknown): string {
  return errorText(fault).slice(0, 200)
}
