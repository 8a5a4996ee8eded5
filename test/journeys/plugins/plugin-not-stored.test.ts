// A switch that the database does not take: the node goes on as before, and the table says what it serves.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '#test'

const id = 'pricing'
let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true })
  // While no gateway has the file open: two copies of SQLite in one process take each other's locks away.
  await app.process.stop()
  inDatabase(
    `CREATE TRIGGER unwilling BEFORE INSERT ON plugins
     WHEN EXISTS (SELECT 1 FROM options WHERE "key" = 'SystemName' AND value = 'unwilling')
     BEGIN SELECT RAISE(ABORT, 'unwilling'); END`,
  )
  await app.restart()
})
afterAll(() => app.close())

function inDatabase(statement: string): void {
  const file = readdirSync(app.dataDir).find((name) => /\.(?:db|sqlite)$/.test(name)) ?? ''
  const database = new DatabaseSync(join(app.dataDir, file))
  database.exec(statement)
  database.close()
}

/** What the trigger goes by. */
const nameIt = (value: string) => app.root.put('/api/option/', { key: 'SystemName', value })

async function stateOf(): Promise<string | undefined> {
  const rows = await app.root.get<{ id: string; state: string }[]>('/api/plugin/')
  return rows.find((row) => row.id === id)?.state
}

async function isServed(): Promise<boolean> {
  const answer = await fetch(`${app.url}/api/pricing`)
  await answer.arrayBuffer()
  return answer.status === 200
}

it('leaves a plugin as it is when the change cannot be stored', async () => {
  expect([await stateOf(), await isServed()]).toEqual(['on', true])
  await nameIt('unwilling')
  const refused = await app.root.call('PUT', '/api/plugin/', { id, enabled: false })
  expect(refused).toMatchObject({ success: false })
  expect([await stateOf(), await isServed()]).toEqual(['on', true])
  await nameIt('willing')
  const taken = await app.root.call('PUT', '/api/plugin/', { id, enabled: false })
  expect(taken).toMatchObject({ success: true })
  expect([await stateOf(), await isServed()]).toEqual(['off', false])
})
