// A plugin from npm with a dependency, by the command and from a registry on a local port; no script of a package is run.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { npmRegistry, type NpmRegistry } from './npm-registry.ts'
import { packedPlugin } from './packed-plugin.ts'

const wrote = join(tmpdir(), `tollgate-npm-script-${process.pid}`)
const scripts = {
  preinstall: `touch ${wrote}`,
  install: `touch ${wrote}`,
  prepare: `touch ${wrote}`,
}
const source = `
import { definePlugin, envelope } from 'tollgate'
import { word } from 'acme-words'
export default definePlugin({
  id: 'acme',
  contract: '^1.3',
  asks: { services: ['routes'], routes: ['/api/acme'] },
  server({ routes }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'public' } }, () => envelope(word))
    })
  },
})
`
const plugin = (version: string) =>
  packedPlugin({
    'index.ts': source,
    '.npmrc': 'ignore-scripts=false\nregistry=http://127.0.0.1:9/\n',
    'package.json': JSON.stringify({
      name: '@acme/tollgate-plugin',
      version,
      scripts,
      dependencies: { 'acme-words': '^1.0.0' },
      peerDependencies: { tollgate: '*' },
    }),
  })
const words = packedPlugin({
  'index.js': `export const word = 'hello'`,
  'package.json': JSON.stringify({ name: 'acme-words', version: '1.0.0', type: 'module', scripts }),
})

let app: App
let registry: NpmRegistry
let work: string

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'tollgate-npm-'))
  registry = await npmRegistry([
    {
      name: '@acme/tollgate-plugin',
      versions: { '1.0.0': plugin('1.0.0'), '1.1.0': plugin('1.1.0'), '2.0.0': plugin('2.0.0') },
      dependencies: { 'acme-words': '^1.0.0' },
    },
    { name: 'acme-words', versions: { '1.0.0': words } },
  ])
  app = await startApp({
    isWithin: true,
    env: {
      npm_config_registry: registry.url,
      npm_config_cache: join(work, 'cache'),
      npm_config_fetch_retries: '0',
    },
  })
})
afterAll(async () => {
  await app.close()
  await registry.close()
  await rm(work, { recursive: true, force: true })
})

it('is fetched by a range, with what it needs', async () => {
  const body = { from: 'npm', spec: '@acme/tollgate-plugin@^1.0' }
  expect(await app.root.post('/api/plugin/install', body)).toMatchObject({
    id: 'acme',
    version: '1.1.0',
  })
  expect(existsSync(wrote)).toBe(false)
  expect(await app.root.switchPlugin('acme', true)).toMatchObject({ success: true })
  expect(await app.root.get('/api/acme')).toBe('hello')
  expect(registry.asked).not.toContain('/tollgate')
})

it('says what npm said when there is no such package', async () => {
  const body = { from: 'npm', spec: 'acme-nowhere' }
  const refused = await app.root.call('POST', '/api/plugin/install', body)
  expect(refused).toMatchObject({ success: false, code: 'plugins.npm_failed' })
  expect(refused.message).toMatch(/npm could not get acme-nowhere: .*404/)
  expect(await readdir(join(app.dataDir, 'plugins', '.staging'))).toEqual([])
})
