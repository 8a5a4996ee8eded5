// What a bad server part costs: itself. The gateway starts, serves, names it, and everything else can be switched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, BadGateway, kinds, waiting } from './bad-gateway.ts'
import { badFolders } from './bad-server-parts.ts'

let gateway: BadGateway

beforeAll(async () => {
  gateway = await BadGateway.open()
})
afterAll(() => gateway.close())

describe('folders of PLUGIN_DIRS', () => {
  it('are off until somebody switches them on, and nothing of them is loaded', async () => {
    const states = new Map((await gateway.rows()).map(({ id, state }) => [id, state]))
    expect(
      all.map(({ folder }) => states.get(folder.id)).filter((state) => state !== 'off'),
    ).toEqual([])
    expect(gateway.app.process.log()).not.toContain('out of order')
  })

  it.each(badFolders)('named $folder.id are listed with what to do', async ({ folder, says }) => {
    const found = (await gateway.rows()).find(
      ({ id, state }) => id.startsWith(folder.id) && state === 'failed',
    )
    expect(found?.error).toMatch(says)
    expect(await gateway.put(found?.id ?? '', true)).toMatchObject({
      success: false,
      code: 'plugins.not_loadable',
    })
  })
})

describe.each(kinds)(
  'a bad plugin is refused with a sentence that says what to do: %s',
  (_kind, cases) => {
    it.each(cases)('$folder.id', async ({ folder, says }) => {
      const refused = await gateway.put(folder.id, true)
      expect(refused).toMatchObject({ success: false, code: 'plugins.not_loadable' })
      expect(refused.message).toContain(`"${folder.id}"`)
      expect(refused.message).toMatch(says)
    })

    it('which is said of it from then on, and costs nobody else anything', async () => {
      const rows = new Map((await gateway.rows()).map((row) => [row.id, row]))
      for (const { folder, says } of cases) {
        const row = rows.get(folder.id)
        const state = waiting.has(folder.id) ? 'off' : 'failed'
        expect(row).toMatchObject({ id: folder.id, enabled: false, state })
        if (state === 'failed') expect(row?.error).toMatch(new RegExp(says.source, 'i'))
      }
      await gateway.expectService()
    })
  },
)

describe('after all of them', () => {
  it('other plugins are switched', () => gateway.expectSwitching())
})

describe('switching while a plugin hangs at its start', () => {
  it('does not wait for it', async () => {
    let isOver = false
    await gateway.app.root.call('POST', '/api/plugin/unpark', { id: 'x-hangs' })
    const hanging = gateway.put('x-hangs', true).finally(() => {
      isOver = true
    })
    await gateway.app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
    expect(isOver).toBe(false)
    expect(await hanging).toMatchObject({ success: false })
    await gateway.app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
  })
})
