// The plugin that the super admin signs in with: nobody can switch it off, whatever the table says.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '#test'

const id = 'auth-password'
let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true })
})
afterAll(() => app.close())

async function rowOf() {
  const rows =
    await app.root.get<{ id: string; state: string; is_essential: boolean }[]>('/api/plugin/')
  return rows.find((row) => row.id === id)
}

it('is not switched off', async () => {
  const answer = await app.root.call('PUT', '/api/plugin/', { id, enabled: false })
  expect(answer).toMatchObject({ success: false, code: 'plugins.essential' })
  expect(await rowOf()).toMatchObject({ state: 'on', is_essential: true })
})

it('is on where an earlier version let it be switched off', async () => {
  // A file that no gateway has open: within, two copies of SQLite would take each other's locks away.
  await app.process.stop()
  const file = readdirSync(app.dataDir).find((name) => /\.(?:db|sqlite)$/.test(name)) ?? ''
  const database = new DatabaseSync(join(app.dataDir, file))
  database.exec(
    `INSERT INTO plugins (id, enabled, source, location) VALUES ('${id}', 0, 'built-in', '')`,
  )
  database.close()
  // Signs in.
  await app.restart()
  expect(await rowOf()).toMatchObject({ state: 'on' })
})
