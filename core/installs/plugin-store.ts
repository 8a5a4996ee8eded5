// DATA_DIR/plugins has a folder `<id>@<version>` for each installed version. New versions are prepared in a staging
// folder that is never loaded from.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockFile } from '../data/sqlite/file-lock.ts'
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

  /** Runs the work while no other process that shares the folder installs anything.
   *  @throws plugins.install_running */
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

  /** Gives the work an empty staging folder and removes it afterwards, together with those that ended processes have
   *  left. Only inside `exclusively`. */
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

  /** Removes leftovers at the start. While another process installs, they may be its files and stay. */
  async sweep(): Promise<void> {
    await this.exclusively(() => this.#clear()).catch(() => undefined)
  }

  /** Moves a version to its place in one step, so that it is never there in part. */
  async place(from: string, id: string, version: string): Promise<void> {
    await rename(from, this.folderOf(id, version))
  }

  /** Moves a version away in one step before it is deleted, so that a kill leaves the rest where nothing is loaded
   *  from. Only inside `exclusively`. */
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
