// Two nodes that lease parts of one balance: an edit on one reaches what the other has leased within a second.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCustomer, type App, balanceOf } from '#test'
import { perCall } from '../../harness/call-shop.ts'
import { hasPostgres } from '../../harness/databases.ts'
import { chat } from '../../harness/relay-call.ts'
import { type NodePair, startPair } from './node-pair.ts'

const { model, units: priceUnits } = perCall
const rich = 1_000_000
/** An edit reaches the other node within a second. */
const soon = { timeout: 1_000, interval: 20 }

describe.runIf(hasPostgres)('an edit on one node while another serves calls', () => {
  let nodes: NodePair
  let here: App

  beforeAll(async () => {
    nodes = await startPair()
    here = nodes.here
  })
  afterAll(() => nodes.close())

  const callThere = (key: string) => chat({ url: nodes.there.url, key, model })

  const leasedOf = async (table: 'users' | 'tokens', id: number): Promise<number | undefined> => {
    const sql = `SELECT leased FROM ${table} WHERE id = :id`
    return (await nodes.test.database.select<{ leased: number }>(sql, { id }))[0]?.leased
  }

  async function customer(name: string, token = {}) {
    const made = await addCustomer(here.root, name, rich, token)
    expect((await callThere(made.key)).status).toBe(200)
    expect(await leasedOf('users', made.id)).toBeGreaterThan(10 * priceUnits)
    return made
  }

  async function answersThere(key: string): Promise<Record<number, number>> {
    const answers = await Promise.all(Array.from({ length: 30 }, () => callThere(key)))
    const counts: Record<number, number> = {}
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  it('lets the new balance be spent there and no more', async () => {
    const ada = await customer('ada')
    await here.root.put('/api/user/', { id: ada.id, quota: 3 * priceUnits })
    await vi.waitFor(async () => expect(await leasedOf('users', ada.id)).toBe(0), soon)
    expect(await answersThere(ada.key)).toEqual({ 200: 3, 403: 27 })
    expect(await balanceOf(ada)).toBe(0)
  })

  it("lets a token's new limit be spent there and no more", async () => {
    const bob = await customer('bob', { unlimited_quota: false, remain_quota: rich })
    // As a page shows it now: what was spent since it was read would stay spent.
    const shown = await bob.client.get<object>(`/api/token/${bob.token.id}`)
    await bob.client.put('/api/token/', { ...shown, remain_quota: 2 * priceUnits })
    await vi.waitFor(async () => expect(await leasedOf('tokens', bob.token.id)).toBe(0), soon)
    expect((await answersThere(bob.key))[200]).toBe(2)
    expect(await balanceOf(bob)).toBe(rich - 3 * priceUnits)
  })

  it.each([
    {
      what: 'a disabled token',
      status: 401,
      edit: (made: Awaited<ReturnType<typeof customer>>) =>
        made.client.put('/api/token/?status_only=true', { id: made.token.id, status: 2 }),
    },
    {
      what: 'a deleted token',
      status: 401,
      edit: (made: Awaited<ReturnType<typeof customer>>) =>
        made.client.delete(`/api/token/${made.token.id}`),
    },
    {
      what: 'a disabled user',
      status: 403,
      edit: ({ id }: Awaited<ReturnType<typeof customer>>) =>
        here.root.post('/api/user/manage', { id, action: 'disable' }),
    },
    {
      what: 'a deleted user',
      status: 401,
      edit: ({ id }: Awaited<ReturnType<typeof customer>>) => here.root.delete(`/api/user/${id}`),
    },
  ])('takes the leases of $what back and lets no call in', async ({ what, status, edit }) => {
    const made = await customer(what.replaceAll(' ', '-'))
    await edit(made)
    await vi.waitFor(async () => {
      expect((await leasedOf('users', made.id)) ?? 0).toBe(0)
      expect((await callThere(made.key)).status).toBe(status)
    }, soon)
    expect(await answersThere(made.key)).toEqual({ [status]: 30 })
  })
})
