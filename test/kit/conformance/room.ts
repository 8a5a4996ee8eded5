// A gateway inside this process, for looking at what a plugin has added as well as at what it answers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readSettings } from '../../../core/app/configuration.ts'
import { type Gateway, startGateway } from '../../../core/main.ts'

export interface Room {
  /** The plugin's, which is its folder's name. */
  readonly id: string
  readonly folder: string
  readonly gateway: Gateway
  /** Tables and indexes that were there before the plugin. */
  readonly tables: ReadonlySet<string>
  close(): Promise<void>
}

export async function openRoom(folder: string): Promise<Room> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-conformance-'))
  const gateway = await startGateway({
    ...readSettings(),
    port: 0,
    host: '127.0.0.1',
    metricsPort: 0,
    dataDir,
    databaseUrl: '',
    redisUrl: '',
    secretKey: '',
    pluginDirs: [folder],
    isSafe: false,
    logLevel: 'silent',
    shutdownMs: 2_000,
  })
  return {
    id: basename(folder).split('@', 1)[0] ?? '',
    folder,
    gateway,
    tables: new Set(await tablesOf(gateway)),
    close: async () => {
      await gateway.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function tablesOf({ services }: Gateway): Promise<string[]> {
  const rows = await services.database.select<{ name: string }>('SELECT name FROM sqlite_master')
  return rows.map(({ name }) => name)
}
