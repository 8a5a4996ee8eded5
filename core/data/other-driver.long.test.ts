// What runs on each database, by the driver that stands in where sqlite3 cannot be loaded.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const files = globSync('{core,plugins,test}/**/*.test.ts', { cwd: repository })
  .filter((file) => !file.endsWith('.long.test.ts'))
  .filter((file) => readFileSync(repository + file, 'utf8').includes('each(databaseKinds)'))
  .toSorted()

process.env.TEST_SQLITE_DRIVER = 'node:sqlite'
afterAll(() => {
  delete process.env.TEST_SQLITE_DRIVER
})

it('is found', () => {
  expect(files.length).toBeGreaterThan(30)
})

describe.each(files)('%s', async (file) => {
  await import(/* @vite-ignore */ repository + file)
})
