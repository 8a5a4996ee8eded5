// Options of a plugin from outside whose next version says something else about them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { type MadeFolders, makeFolders, plugin } from './plugin-folders.ts'

const reader = `server({ routes, options }) {
  routes.add((app) => {
    const keys = ['OptMode', 'OptLevel', 'OptOpen', 'OptHidden', 'OptCount']
    app.get('/api/opt', { config: { access: 'user' } }, () =>
      envelope(Object.fromEntries(keys.map((key) => [key, options.get(key)]))))
  })
}`

function version(open: string, hidden: string, most: number) {
  return plugin(
    'opt',
    `options: defineOptions({
      OptMode: Type.Union([Type.Literal('slow'), Type.Literal('fast')], { default: 'slow' }),
      OptLevel: Type.Union([Type.Literal(1), Type.Literal(2)], { default: 1 }),
      OptOpen: Type.String({ default: '', 'x-ui': ${open} }),
      OptHidden: Type.String({ default: '', 'x-ui': ${hidden} }),
      OptCount: Type.Integer({ default: 5, minimum: 1, maximum: ${most} }),
    }), ${reader}`,
  )
}

/** What a client of some service says when it does not take a key. */
const reading = plugin(
  'tell',
  `options: defineOptions({ TellKey: Type.String({ default: '', 'x-ui': { secret: true } }) }),
  server({ options }) {
    const key = options.get<string>('TellKey')
    if (key !== '') throw new Error('the key ' + key + ' is not taken')
  }`,
)

let folders: MadeFolders
let app: App

beforeAll(async () => {
  folders = await makeFolders([version('{}', '{ secret: true }', 100), reading])
  app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: ['opt', 'tell'] })
})

afterAll(async () => {
  await app.close()
  await folders.remove()
})

const put = (key: string, value: string) => app.root.call('PUT', '/api/option/', { key, value })
const listed = async (key: string) => {
  const rows = await app.root.get<{ key: string; value: string }[]>('/api/option/')
  return rows.find((row) => row.key === key)?.value
}
const beside = async () => (await app.root.call('GET', '/api/option/')).body

/** While no gateway within has the file open: two copies of SQLite in one process take each other's locks away. */
function stored(key: string): string {
  const file = readdirSync(app.dataDir).find((name) => name.endsWith('.db')) ?? ''
  const database = new DatabaseSync(join(app.dataDir, file), { readOnly: true })
  const row = database.prepare('SELECT value FROM options WHERE "key" = ?').get(key)
  database.close()
  return String(row?.['value'])
}

describe('options of a plugin from outside', () => {
  it('take one of a union of literals, and name those that there are', async () => {
    expect(await put('OptMode', 'fast')).toMatchObject({ success: true })
    expect(await put('OptLevel', '2')).toMatchObject({ success: true })
    const refused = await put('OptMode', 'sideways')
    expect(refused).toMatchObject({ success: false, code: 'options.invalid_value' })
    expect(refused.message).toContain('slow / fast')
    expect(await app.root.get('/api/opt')).toMatchObject({ OptMode: 'fast', OptLevel: 2 })
  })

  it('stay secret when their plugin puts them into what it throws', async () => {
    await put('TellKey', 'sk-very-secret')
    await app.root.put('/api/plugin/', { id: 'tell', enabled: false })
    const refused = await app.root.switchPlugin('tell', true)
    expect(refused.message).toContain('the key •••• is not taken')
    const rows = await app.root.get<{ id: string; error: string }[]>('/api/plugin/')
    expect(rows.find(({ id }) => id === 'tell')?.error).toContain('the key •••• is not taken')
    await expect.poll(() => app.process.log()).toContain('the key •••• is not taken')
    expect(app.process.log()).not.toContain('sk-very-secret')
  })

  it('stay secret while their plugin is off, also what is written then', async () => {
    await put('OptHidden', 'first-secret')
    await put('OptOpen', 'open-words')
    await put('OptCount', '90')
    await app.root.put('/api/plugin/', { id: 'opt', enabled: false })
    await app.goOnWithin('stop')
    expect(await listed('OptHidden')).toBeUndefined()
    expect(await put('OptHidden', 'second-secret')).toMatchObject({ success: true })
    expect(await listed('OptHidden')).toBeUndefined()
    await app.process.stop()
    expect(stored('OptHidden')).toMatch(/^v1:/)
  })

  it('are encrypted when they become secrets, and asked for anew when they are none any more', async () => {
    await folders.write(version('{ secret: true }', '{}', 10))
    await app.restart()
    await app.root.switchPlugin('opt', true)
    expect(await listed('OptOpen')).toBeUndefined()
    expect((await beside())['secrets_set']).toContain('OptOpen')
    expect(await listed('OptHidden')).toBe('')
    expect(JSON.stringify(await beside())).not.toMatch(/second-secret|open-words|"v1:/)
    expect(await app.root.get('/api/opt')).toMatchObject({ OptOpen: 'open-words', OptHidden: '' })
  })

  it('keep a value that is out of range now, show it with its fault and read as the default', async () => {
    expect(await listed('OptCount')).toBe('90')
    expect((await beside())['faults']).toMatchObject({ OptCount: expect.stringContaining('10') })
    expect(await app.root.get('/api/opt')).toMatchObject({ OptCount: 5 })
    await put('OptCount', '7')
    expect((await beside())['faults']).toEqual({})
    await app.process.stop()
    expect(stored('OptOpen')).toMatch(/^v1:/)
  })
})
