import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import users from './index.ts'

let app: PluginApp
let admin: InjectClient
let ada: number

beforeAll(async () => {
  app = await createPluginApp({ plugins: [users] })
})
afterAll(() => app.close())

beforeEach(async () => {
  await app.removeAccounts()
  const { id } = await app.accounts.create({ username: 'admin', role: 10, by: 'admin' })
  admin = app.client().useToken(id, await app.accounts.newAccessToken(id))
  ada = (await app.accounts.create({ username: 'ada', by: 'admin' })).id
  await edit({ quota: 700 })
})

const edit = (body: object) => admin.call('PUT', '/api/user/', { id: ada, ...body })
const balance = async () => (await app.accounts.find(ada))?.quota

async function spend(units: number): Promise<void> {
  const call = { requestId: `spent ${units}`, userId: ada, tokenId: 0, isTokenLimited: false }
  await app.ledger.settle(await app.ledger.reserve({ ...call, units }), { units, channelId: 0 })
}

describe('setting a balance on sight of another', () => {
  it('is refused once somebody else has changed it, and says what it is now', async () => {
    const seen = { quota: 700, used_quota: 0 }
    expect(await edit({ quota: 1000, shown: seen })).toMatchObject({ success: true })
    const late = { display_name: 'Ada', quota: 900, shown: seen }
    expect(await edit(late)).toMatchObject({
      success: false,
      code: 'quota.changed',
      message: expect.stringContaining('it is 1000 units now') as string,
      values: { field: 'quota', quota: 1000, used_quota: 0 },
    })
    expect(await app.accounts.find(ada)).toMatchObject({ quota: 1000, display_name: 'ada' })
    const again = { ...late, shown: { quota: 1000, used_quota: 0 } }
    expect(await edit(again)).toMatchObject({ success: true })
    expect(await balance()).toBe(900)
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('keeps what the user has spent meanwhile, also when the same is sent twice', async () => {
    await spend(40)
    for (const _ of ['first', 'again']) {
      const answer = await edit({ quota: 1000, shown: { quota: 700, used_quota: 0 } })
      expect(answer).toMatchObject({ success: true })
      expect(await balance()).toBe(960)
    }
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('counts spending as a change where only the balance is named', async () => {
    await spend(40)
    expect(await edit({ quota: 1000, shown: { quota: 700 } })).toMatchObject({
      code: 'quota.changed',
    })
    expect(await edit({ quota: 1000, shown: { quota: 660 } })).toMatchObject({ success: true })
    expect(await balance()).toBe(1000)
  })

  it('sets it for whoever does not say what was seen', async () => {
    await spend(40)
    expect(await edit({ quota: 1000 })).toMatchObject({ success: true })
    expect(await balance()).toBe(1000)
  })
})
