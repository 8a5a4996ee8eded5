// Each route of the program has a row in route-access.json, which says who may call it: whoever adds a route decides that there, too.
// every-route.long.test.ts calls them all.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { routeRows } from './route-rows.ts'

const cli = fileURLToPath(new URL('../../core/cli/tollgate.js', import.meta.url))

it('every route of the program has its row, and every row its route', async () => {
  const place = await mkdtemp(join(tmpdir(), 'tollgate-routes-'))
  const env = { ...process.env, DATA_DIR: place, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'routes'], { env })
  await rm(place, { recursive: true, force: true })
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([method]) => method !== 'HEAD')
    .map(([method, path, access]) => `${method} ${path} ${access}`)
  // Of these the route table says nothing: they look at a key themselves, or let everybody in.
  const stated = (level: string) => (level === 'key' || level === 'open' ? '-' : level)
  const wanted = routeRows.map(({ level, route }) => `${route} ${stated(level)}`)
  expect(found.toSorted()).toEqual(wanted.toSorted())
})
