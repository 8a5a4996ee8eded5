// Starts with every bad server part switched on: each may take its whole limit, and the gateway serves all the same.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, BadGateway, waiting } from './bad-gateway.ts'

let gateway: BadGateway

beforeAll(async () => {
  gateway = await BadGateway.open()
}, 60_000)
afterAll(() => gateway.close())

describe('a start with all of them switched on', () => {
  beforeAll(async () => {
    await gateway.app.process.stop()
    const file = join(
      gateway.app.dataDir,
      readdirSync(gateway.app.dataDir).find((name) => name.endsWith('.db')) ?? '',
    )
    const database = new DatabaseSync(file)
    const write = database.prepare(
      `INSERT INTO plugins (id, enabled, source, location, confirmed) VALUES (?, 1, 'folder', '', '["*"]')
       ON CONFLICT (id) DO UPDATE SET enabled = 1, failures = 0, cause = '', confirmed = '["*"]'`,
    )
    for (const { folder } of all) write.run(folder.id)
    database.close()
    await gateway.app.restart()
  }, 120_000)

  it('serves, and blames each by name', async () => {
    await gateway.expectService()
    const found = new Map((await gateway.rows()).map((row) => [row.id, row]))
    for (const { folder, says } of all) {
      const row = found.get(folder.id)
      expect([folder.id, row?.state]).toEqual([folder.id, 'failed'])
      expect(row?.error).toMatch(new RegExp(says.source, 'i'))
      expect(gateway.app.process.log()).toContain(`plugin \\"${folder.id}\\" is left out`)
    }
    expect(gateway.tables().filter((name) => name.endsWith('__left'))).toEqual([])
    await gateway.expectSwitching()
  })

  it('parks those that fail a second time, and tries them no more until they are unparked', async () => {
    await gateway.app.restart()
    const parked = () =>
      gateway.rows().then((list) => list.filter(({ state }) => state === 'parked'))
    expect((await parked()).map(({ id }) => id).sort()).toEqual(
      all
        .map(({ folder }) => folder.id)
        .filter((id) => !waiting.has(id))
        .sort(),
    )
    await gateway.app.restart()
    const leftOut = gateway.app.process.log().match(/plugin \\"[\w-]+\\" is left out/g)
    expect(leftOut?.sort()).toEqual(
      [...waiting].sort().map((id) => `plugin \\"${id}\\" is left out`),
    )
    expect(await gateway.put('x-throws', true)).toMatchObject({
      success: false,
      code: 'plugins.parked',
    })
    await gateway.expectSwitching()
    await gateway.expectService()
  }, 120_000)

  it('takes back what was mended', async () => {
    await gateway.folders.write({
      id: 'x-throws',
      files: {
        'index.ts': `import own from './own.ts'\nexport default own`,
        'own.ts': `export default { kind: 'plugin', id: 'x-throws', contract: '^1.3', summary: { en: 'Mended', zh: '好了' } }`,
      },
    })
    expect(await gateway.app.root.post('/api/plugin/unpark', { id: 'x-throws' })).toMatchObject({
      state: 'on',
      error: '',
    })
    expect((await gateway.rows()).find(({ id }) => id === 'x-throws')).toMatchObject({
      state: 'on',
    })
  })
})

describe('when the gateway cannot start', () => {
  it('plugins are listed and switched by a command that loads none of them', async () => {
    await gateway.app.process.stop()
    const list = await gateway.app.command('plugin', 'list')
    expect(list.output).toMatch(/^x-hangs\tparked\t.*server\(\) took longer/m)
    expect(list.output).toMatch(/^pricing\ton\tbuilt-in$/m)
    expect(await gateway.app.command('plugin', 'unpark', 'x-hangs')).toMatchObject({ code: 0 })
    expect(await gateway.app.command('plugin', 'disable', 'x-throws')).toMatchObject({ code: 0 })
    expect(await gateway.app.command('plugin', 'disable', 'auth-password')).toMatchObject({
      code: 1,
    })
    expect(await gateway.app.command('plugin', 'disable', 'nobody')).toMatchObject({ code: 1 })
    const after = (await gateway.app.command('plugin', 'list')).output
    expect(after).toMatch(/^x-throws\toff/m)
    expect(after).toMatch(/^x-hangs\ton/m)
  }, 120_000)
})
