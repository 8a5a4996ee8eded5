// Invitations as their two sides see them, with many registering at once.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import authPassword from '../auth-password/index.ts'
import personal from './index.ts'

const password = 'correct horse'
const rewards = { QuotaForNewUser: '100', QuotaForInvitee: '30', QuotaForInviter: '600000' }

describe.each(databaseKinds)('invitations on $name', (kind) => {
  let app: PluginApp

  beforeAll(async () => {
    const channels = { modelsOfGroups: () => Promise.resolve([]) }
    app = await createPluginApp({
      kind,
      plugins: [personal, authPassword],
      services: { channels: channels as never },
    })
    await app.options.setMany(rewards)
  })
  afterAll(() => app.close())
  afterEach(async () => {
    await app.ledger.flush()
    await app.database.run('DELETE FROM logs')
    await app.removeAccounts()
  })

  const inviter = async () => {
    // Nobody may register before.
    await app.accounts.create({ username: 'root', password, role: 100, by: 'setup' })
    const { id } = await app.accounts.create({ username: 'ada', password, by: 'admin' })
    const client = await app.signedIn(id)
    const code = (await client.call<string>('GET', '/api/user/aff')).data
    return { id, client, code }
  }
  const register = (username: string, aff_code: string) =>
    app.client().call('POST', '/api/user/register', { username, password, aff_code })
  const self = async (client: InjectClient) =>
    (await client.call<UserRecord>('GET', '/api/user/self')).data

  it('reward both sides once for each account, however many register at once', async () => {
    const ada = await inviter()
    const names = Array.from({ length: 12 }, (_, at) => `guest${at}`)
    const answers = await Promise.all(
      names.flatMap((name) => [register(name, ada.code), register(name, ada.code)]),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(12)
    expect(await self(ada.client)).toMatchObject({
      quota: 100,
      aff_count: 12,
      aff_quota: 7_200_000,
      aff_history_quota: 7_200_000,
    })
    for (const name of names) {
      const guest = await app.accounts.findByLogin(name)
      expect(guest).toMatchObject({ quota: 130, inviter_id: ada.id })
    }
    await app.ledger.flush()
    const rows = await app.database.select<{ content: string; username: string }>(
      `SELECT content, username FROM logs WHERE user_id = :id AND type = 4`,
      { id: ada.id },
    )
    const rewards = rows.filter(({ content }) => content.startsWith('Reward for inviting user'))
    expect(rewards).toHaveLength(12)
    expect(new Set(rewards.map(({ username }) => username))).toEqual(new Set(['ada']))
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('earn for nobody whose account is gone', async () => {
    const ada = await inviter()
    await app.accounts.softDelete(ada.id)
    expect((await register('guest', ada.code)).success).toBe(true)
    expect(await app.accounts.findByLogin('guest')).toMatchObject({ quota: 100, inviter_id: 0 })
  })

  it('are paid out once, however often it is asked at once', async () => {
    const ada = await inviter()
    await register('guest', ada.code)
    const move = () => ada.client.call('POST', '/api/user/aff_transfer', { quota: 600_000 })
    const answers = await Promise.all(Array.from({ length: 20 }, move))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(await self(ada.client)).toMatchObject({ quota: 600_100, aff_quota: 0 })
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })
})
