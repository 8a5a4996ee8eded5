// What happens to caller, token, channel and price while an answer is under way: the call costs what was agreed when it began, in every book.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  consumptionRows,
  flushed,
  type ScriptedUpstream,
  scriptedUpstream,
  setPrice,
  startApp,
  writeEvents,
} from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'

const BALANCE = 1_000_000
const COST = 1200
const chunk = (more: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  ...more,
})
const begun = [
  chunk({
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' }, finish_reason: null }],
  }),
]
const ended = [
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  chunk({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 200 } }),
  'data: [DONE]\n\n',
]

interface UserRow {
  quota: number
  used_quota: number
  request_count: number
}

describe.each(gatewayDatabases)('a call during which, on $name,', ({ open }) => {
  let app: App
  let upstream: ScriptedUpstream
  let closeDatabase: () => Promise<void>
  let count = 0

  beforeAll(async () => {
    const database = await open()
    closeDatabase = database.close
    upstream = await scriptedUpstream()
    app = await startApp({ isWithin: true, env: database.env })
    await setPrice(app.root, 'm', 1)
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
    await closeDatabase()
  })

  const channelNamed = async (name: string) => {
    const found = await app.root.get<{ id: number; name: string; used_quota: number }[]>(
      `/api/channel/search?keyword=${name}`,
    )
    return found.find((row) => row.name === name)
  }
  const userNamed = async (name: string) => {
    const { items } = await app.root.get<{ items: UserRow[] }>(`/api/user/search?keyword=${name}`)
    return items[0]
  }

  /** Calls, and does something while the answer is under way. */
  async function during(
    change: (customer: Customer, channel: string) => Promise<unknown>,
    token: object = {},
    balance = BALANCE,
  ): Promise<{ customer: Customer; channel: string; text: string }> {
    count += 1
    const channel = `channel-${count}`
    const base = { base_url: upstream.url, models: 'm', name: channel, priority: count }
    await addChannel(app.root, base)
    const customer = await addCustomer(app.root, `caller-${count}`, balance, token)
    const gate = Promise.withResolvers<void>()
    upstream.behave(async (answer) => {
      writeEvents(answer, begun)
      await flushed(answer)
      await gate.promise
      writeEvents(answer, ended)
      answer.end()
    })
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    await change(customer, channel)
    gate.resolve()
    return { customer, channel, text: await response.text() }
  }

  async function expectPaid({ customer, channel, text }: Awaited<ReturnType<typeof during>>) {
    expect(text).toContain('[DONE]')
    expect(await consumptionRows(app.root, customer.username)).toMatchObject([
      { quota: COST, prompt_tokens: 1000, completion_tokens: 200 },
    ])
    expect(await channelNamed(channel)).toMatchObject({ used_quota: COST })
  }

  const user = { quota: BALANCE - COST, used_quota: COST, request_count: 1 }

  it('the price is raised, costs what it did', async () => {
    const call = await during(() => setPrice(app.root, 'm', 7))
    await setPrice(app.root, 'm', 1)
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject(user)
  })

  it("the group's ratio is raised, costs what it did", async () => {
    const ratio = (value: number) =>
      app.root.put('/api/option/', {
        key: 'GroupRatio',
        value: JSON.stringify({ default: value }),
      })
    const call = await during(() => ratio(3))
    await ratio(1)
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject(user)
  })

  it('its token is deleted, is paid by the account', async () => {
    const call = await during(({ client, token }) => client.delete(`/api/token/${token.id}/`), {
      unlimited_quota: false,
      remain_quota: 50_000,
    })
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject(user)
  })

  it('the limit of its token is set anew, counts against the new one', async () => {
    const call = await during(
      async ({ client, token }) =>
        client.put('/api/token/', { ...token, unlimited_quota: false, remain_quota: 9000 }),
      { unlimited_quota: false, remain_quota: 50_000 },
    )
    await expectPaid(call)
    const [token] = await call.customer.client.get<object[]>('/api/token/?p=0')
    expect(token).toMatchObject({ remain_quota: 9000 - COST, used_quota: COST })
  })

  it('its token is emptied, takes the rest into the red', async () => {
    const call = await during(
      async ({ client, token }) =>
        client.put('/api/token/', { ...token, unlimited_quota: false, remain_quota: 100 }),
      { unlimited_quota: false, remain_quota: 50_000 },
    )
    await expectPaid(call)
    const [token] = await call.customer.client.get<object[]>('/api/token/?p=0')
    expect(token).toMatchObject({ remain_quota: 100 - COST, used_quota: COST })
  })

  it('the admin sets the balance, costs the rest of it', async () => {
    const call = await during(({ id }) => app.root.put('/api/user/', { id, quota: 5000 }))
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject({ quota: 5000 - COST })
  })

  it('the admin empties the balance, takes it into the red, and the next call is refused', async () => {
    const call = await during(({ id }) => app.root.put('/api/user/', { id, quota: 0 }))
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject({ quota: -COST })
    const { status } = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${call.customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(status).toBe(403)
  })

  it('the caller is disabled, is paid', async () => {
    const call = await during(({ id }) =>
      app.root.post('/api/user/manage', { id, action: 'disable' }),
    )
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject(user)
  })

  it('the caller is deleted, leaves a row and sound books', async () => {
    const call = await during(({ id }) => app.root.delete(`/api/user/${id}`))
    await expectPaid(call)
  })

  it('the channel is deleted, is paid', async () => {
    const call = await during(async (_customer, name) => {
      const found = await channelNamed(name)
      await app.root.delete(`/api/channel/${found?.id}`)
    })
    expect(call.text).toContain('[DONE]')
    expect(await userNamed(call.customer.username)).toMatchObject(user)
  })

  it('a balance at the edge of what a number holds is spent exactly', async () => {
    const call = await during(() => Promise.resolve(), {}, Number.MAX_SAFE_INTEGER)
    await expectPaid(call)
    expect(await userNamed(call.customer.username)).toMatchObject({
      quota: Number.MAX_SAFE_INTEGER - COST,
    })
  })

  it('anything of this happens, leaves sound books', () => expectSoundBooks(app))
})
