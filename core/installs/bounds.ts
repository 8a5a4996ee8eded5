// Limits on the size of a plugin: for its own files, and again for what npm installs.
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from './install-errors.ts'

export const MAX_ENTRIES = 20_000
export const MAX_BYTES = 256 * 1_048_576

export const tooMany = (): never =>
  refuse(
    `it holds more than ${MAX_ENTRIES} files or ${MAX_BYTES / 1_048_576} MiB. Leave out what it does not need at run time.`,
    `文件超过 ${MAX_ENTRIES} 个或 ${MAX_BYTES / 1_048_576} MiB。请去掉运行时不需要的内容。`,
  )

export class Bounds {
  #entries = 0
  #bytes = 0

  /** @throws plugins.not_installable */
  take(bytes: number): void {
    this.add(1, bytes)
    if (this.isExceeded) tooMany()
  }

  add(entries: number, bytes: number): void {
    this.#entries += entries
    this.#bytes += bytes
  }

  get isExceeded(): boolean {
    return this.#entries > MAX_ENTRIES || this.#bytes > MAX_BYTES
  }
}

/** Whether a folder exceeds the limits; counting ends there. Files that disappear meanwhile are not counted. */
export async function isTooMuch(folder: string, bounds = new Bounds()): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  bounds.add(entries.length, 0)
  for (const entry of entries) {
    if (bounds.isExceeded) return true
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await isTooMuch(path, bounds)
    else bounds.add(0, await lstat(path).then(sizeOf, () => 0))
  }
  return bounds.isExceeded
}

const sizeOf = ({ size }: { size: number }) => size
