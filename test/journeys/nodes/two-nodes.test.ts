// Two nodes that lease parts of one balance: an edit on one reaches what the other has leased, and what moves money on both at the same moment moves
// it once.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, balanceOf, consumptionRows, type Customer } from '#test'
import { perCall } from '../../harness/call-shop.ts'
import { hasPostgres } from '../../harness/databases.ts'
import { chat } from '../../harness/relay-call.ts'
import { type NodePair, startPair } from './node-pair.ts'

const { model, units: priceUnits } = perCall
const rich = 1_000_000
const merchant = {
  ServerAddress: 'https://gw.test',
  PayAddress: 'https://pay.example.com',
  EpayId: '1001',
  EpayKey: 'pair-key',
}

let nodes: NodePair
let here: App
let urls: string[]

beforeAll(async () => {
  if (!hasPostgres) return
  nodes = await startPair()
  here = nodes.here
  urls = [here.url, nodes.there.url]
})
afterAll(() => nodes?.close())

describe.runIf(hasPostgres)('an edit on one node while another serves calls', () => {
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
    await expect.poll(() => leasedOf('users', ada.id)).toBe(0)
    expect(await answersThere(ada.key)).toEqual({ 200: 3, 403: 27 })
    expect(await balanceOf(ada)).toBe(0)
  })

  it("lets a token's new limit be spent there and no more", async () => {
    const bob = await customer('bob', { unlimited_quota: false, remain_quota: rich })
    // As a page shows it now: what was spent since it was read would stay spent.
    const shown = await bob.client.get<object>(`/api/token/${bob.token.id}`)
    await bob.client.put('/api/token/', { ...shown, remain_quota: 2 * priceUnits })
    await expect.poll(() => leasedOf('tokens', bob.token.id)).toBe(0)
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
    const left = async () => [
      (await leasedOf('users', made.id)) ?? 0,
      (await callThere(made.key)).status,
    ]
    await expect.poll(left).toEqual([0, status])
    expect(await answersThere(made.key)).toEqual({ [status]: 30 })
  })
})

describe.runIf(hasPostgres)('money that moves on both nodes at once', () => {
  const call = ({ key }: Customer, url: string) => chat({ url, key, model })
  const changeQuota = (url: string, id: number, value: number) =>
    here.root.at(url).call<{ quota: number }>('POST', '/api/user/manage', {
      id,
      action: 'change_quota',
      value,
    })

  it('a code that several customers enter at both is worth its quota once', async () => {
    const { root } = here
    const [key] = await root.post<string[]>('/api/redemption/', {
      name: 'one',
      quota: 700,
      count: 1,
    })
    const customers: Customer[] = []
    for (const name of ['gina', 'hugo', 'ines']) customers.push(await addCustomer(root, name, 0))
    const answers = await Promise.all(
      customers.flatMap(({ client }) =>
        [...urls, ...urls].map((url) => client.at(url).call('POST', '/api/user/topup', { key })),
      ),
    )
    expect(answers.filter(({ success }) => success).map(({ data }) => data)).toEqual([700])
    const balances = await Promise.all(customers.map(balanceOf))
    expect(balances.toSorted((left, right) => left - right)).toEqual([0, 0, 700])
  })

  it('an order whose notice arrives at both is credited once', async () => {
    const { root } = here
    for (const [key, value] of Object.entries(merchant))
      await root.put('/api/option/', { key, value })
    const dora = await addCustomer(root, 'dora', 0)
    const there = dora.client.at(nodes.there.url)
    const offer = () => there.get<{ enable_online_topup: boolean }>('/api/user/topup/info')
    await expect.poll(offer).toMatchObject({ enable_online_topup: true })
    const { data: form } = await dora.client.call<Record<string, string>>('POST', '/api/user/pay', {
      amount: 2,
      payment_method: 'zfb',
    })
    const { pid, out_trade_no, money } = form
    const text = `money=${money}&out_trade_no=${out_trade_no}&pid=${pid}&trade_status=TRADE_SUCCESS`
    const sign = createHash('md5').update(`${text}${merchant.EpayKey}`).digest('hex')
    const told = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const path = `/api/user/epay/notify?${text}&sign=${sign}&sign_type=MD5`
        return (await fetch(`${urls[at % 2]}${path}`)).text()
      }),
    )
    expect(new Set(told)).toEqual(new Set(['success']))
    expect(await balanceOf(dora)).toBe(rich)
  })

  it('changes by admins and calls at both add up', async () => {
    const finn = await addCustomer(here.root, 'finn', rich)
    const each = <T>(work: (url: string) => Promise<T>) =>
      Promise.all(Array.from({ length: 12 }, (_, at) => work(urls[at % 2] as string)))
    const [added, taken, calls] = await Promise.all([
      each((url) => changeQuota(url, finn.id, 777)),
      each((url) => changeQuota(url, finn.id, -333)),
      each((url) => call(finn, url)),
    ])
    expect([...added, ...taken].filter(({ success }) => !success)).toEqual([])
    expect(calls.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(await balanceOf(finn)).toBe(rich + 12 * (777 - 333) - 12 * priceUnits)
    expect(await consumptionRows(here.root, 'finn')).toHaveLength(12)
  })
})

describe.runIf(hasPostgres)('a node that starts', () => {
  it('minds no channel that is edited elsewhere meanwhile', async () => {
    const body = { type: 1, name: 'edited', key: 'sk-edited', models: 'edited', group: 'default' }
    const [id = 0] = await here.root.post<number[]>('/api/channel/', body)
    let isStarted = false
    const started = nodes.there.restart().finally(() => (isStarted = true))
    for (let weight = 1; !isStarted; weight += 1)
      await here.root.put('/api/channel/', { id, weight })
    await started
    expect(nodes.there.process.log()).not.toContain('"level":50')
  })
})
