// DATA_DIR/plugins: a folder `<id>@<version>` for each installed version. What is on its way lies in a folder that nobody loads from.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockFile } from '../data/file-lock.ts'
import { makeFolder } from '../data/make-folder.ts'
import { installRunning } from './install-errors.ts'

export function installedFolder(dataDir: string): string {
  return resolve(dataDir, 'plugins')
}

export class PluginStore {
  readonly folder: string
  readonly #staging: string

  constructor(dataDir: string) {
    this.folder = installedFolder(dataDir)
    this.#staging = join(this.folder, '.staging')
  }

  folderOf(id: string, version: string): string {
    return join(this.folder, `${id}@${version}`)
  }

  has(id: string, version: string): boolean {
    return existsSync(this.folderOf(id, version))
  }

  /** Only one process of all that have the folder does it at a time. @throws plugins.install_running */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    makeFolder(this.folder, 0o700)
    const unlock = lockFile(join(this.folder, '.install.lock'))
    if (!unlock) throw installRunning()
    try {
      return await work()
    } finally {
      unlock()
    }
  }

  /** Gives the work a new folder and takes it away afterwards. What an ended process left behind goes first. Inside `exclusively` only. */
  async staged<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await this.#clear()
    const folder = join(this.#staging, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** At the start; while somebody installs, the rest is his. */
  async sweep(): Promise<void> {
    await this.exclusively(() => this.#clear()).catch(() => undefined)
  }

  /** In one step: a version is there whole or not at all. */
  async place(from: string, id: string, version: string): Promise<void> {
    await rename(from, this.folderOf(id, version))
  }

  /** In one step too: what is left of it after a kill lies where nobody loads from. Inside `exclusively` only. */
  async remove(id: string, version: string): Promise<void> {
    await mkdir(this.#staging, { recursive: true, mode: 0o700 })
    const away = join(this.#staging, randomUUID())
    await rename(this.folderOf(id, version), away).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rm(away, { recursive: true, force: true })
  }

  async #clear(): Promise<void> {
    const left = await readdir(this.#staging).catch(() => [])
    for (const name of left) await rm(join(this.#staging, name), { recursive: true, force: true })
  }
}
