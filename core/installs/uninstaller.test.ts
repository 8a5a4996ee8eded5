import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSqlite, type TestDatabase } from '../../test/harness/databases.ts'
import type { Found } from '../kernel/discover.ts'
import { PluginStore } from './plugin-store.ts'
import { Uninstaller } from './uninstaller.ts'

let test: TestDatabase
let work: string

beforeAll(async () => {
  test = await createSqlite()
  work = await mkdtemp(join(tmpdir(), 'tollgate-uninstall-'))
})
afterAll(async () => {
  await test.close()
  await rm(work, { recursive: true, force: true })
})

it('leaves a plugin alone that is switched on while its options are read', async () => {
  const { database } = test
  await database.run('CREATE TABLE acme__rows (id BIGINT)')
  const found: Found = { id: 'acme', source: 'folder', folder: work, entry: '' }
  let isEnabled = false
  let isForgotten = false
  const uninstaller = new Uninstaller({
    store: new PluginStore(work),
    database,
    find: () => ({ found, versions: [], isEnabled }),
    optionsOf: async () => {
      isEnabled = true
      return []
    },
    forget: async () => {
      isForgotten = true
    },
  })
  await expect(
    uninstaller.uninstall('acme', { tables: 'drop', options: 'drop' }),
  ).rejects.toMatchObject({ code: 'plugins.still_on' })
  expect(await database.select('SELECT * FROM acme__rows')).toEqual([])
  expect(isForgotten).toBe(false)
})
