import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type FakeUpstream,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: FakeUpstream
let customers = 0

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ isWithin: true })
  await addChannel(app.root, { base_url: upstream.url, models: 'gpt-4o-mini' })
  await setPrice(app.root, 'gpt-4o-mini', 1)
  await setLimits({ Enabled: 'true' })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

async function setLimits(limits: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(limits))
    await app.root.put('/api/option/', { key: `ModelRequestRateLimit${name}`, value })
}

async function newKey(): Promise<string> {
  customers += 1
  return (await addCustomer(app.root, `limited${customers}`, 1_000_000)).key
}

function call(key: string, body: unknown = good, path = '/v1/chat/completions') {
  return fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const good = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }

async function statuses(key: string, bodies: readonly unknown[]): Promise<number[]> {
  const seen: number[] = []
  for (const body of bodies) {
    const answer = await call(key, body)
    await answer.text()
    seen.push(answer.status)
  }
  return seen
}

describe('limiting model requests', () => {
  it('counts failed calls towards the total, also those whose body is no JSON', async () => {
    await setLimits({ Count: '2', SuccessCount: '1000', Group: '{}' })
    const key = await newKey()
    expect(await statuses(key, ['no json', good, good])).toEqual([400, 200, 429])
  })

  it('counts only successes towards the limit of successes', async () => {
    await setLimits({ Count: '0', SuccessCount: '2', Group: '{}' })
    const key = await newKey()
    const bodies = ['no json', 'no json', good, 'no json', good, good]
    expect(await statuses(key, bodies)).toEqual([400, 400, 200, 400, 200, 429])
  })

  it('lets no more succeed at the same time than one after another', async () => {
    await setLimits({ Count: '0', SuccessCount: '3', Group: '{}' })
    const key = await newKey()
    const answers = await Promise.all(Array.from({ length: 12 }, () => statuses(key, [good])))
    expect(answers.flat().filter((status) => status === 200)).toHaveLength(3)
  })

  it('gives a success back that the total refused', async () => {
    await setLimits({ Count: '1', SuccessCount: '2', Group: '{}' })
    const key = await newKey()
    expect(await statuses(key, [good, good])).toEqual([200, 429])
    await setLimits({ Count: '0' })
    expect(await statuses(key, [good, good])).toEqual([200, 429])
  })

  it('takes the limits of the group where it has its own', async () => {
    await setLimits({ Count: '1', SuccessCount: '1', Group: '{"default":[0,3]}' })
    const key = await newKey()
    expect(await statuses(key, [good, good, good, good])).toEqual([200, 200, 200, 429])
  })

  it('takes the limits of their user for tokens of the group auto', async () => {
    await setLimits({ Count: '0', SuccessCount: '1000', Group: '{"default":[1,1000]}' })
    customers += 1
    const input = { group: 'auto' }
    const { key } = await addCustomer(app.root, `limited${customers}`, 1_000_000, input)
    expect(await statuses(key, [good, good])).toEqual([200, 429])
  })

  it('refuses before it reads the body, and tells when to come back', async () => {
    await setLimits({ Count: '1', SuccessCount: '1000', Group: '{}' })
    const key = await newKey()
    await statuses(key, [good])
    const refused = await call(key, 'no json')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    const { error } = (await refused.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe('rate_limit_exceeded')
    expect(error.message).toContain('requests: 1 in 1 min, failed ones included')
  })

  it('answers in the dialect of the client', async () => {
    const key = await newKey()
    const body = { ...good, max_tokens: 5 }
    await (await call(key, body, '/v1/messages')).text()
    const refused = await call(key, body, '/v1/messages')
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    })
  })

  it('leaves the model list free, and counts token counts', async () => {
    const key = await newKey()
    const list = { headers: { authorization: `Bearer ${key}` } }
    for (let round = 0; round < 3; round += 1)
      expect((await fetch(`${app.url}/v1/models`, list)).status).toBe(200)
    const count = () => call(key, good, '/v1/messages/count_tokens')
    expect((await count()).status).toBe(200)
    expect((await count()).status).toBe(429)
  })

  it('is off when the window is 0 minutes', async () => {
    await setLimits({ DurationMinutes: '0' })
    expect(await statuses(await newKey(), [good, good, good])).toEqual([200, 200, 200])
    await setLimits({ DurationMinutes: '1' })
  })

  it.each(['{"default":[1]}', '{"default":[1,0]}', '{"default":[-1,1]}', '{"default":5}', '[]'])(
    'refuses %s as limits of groups',
    async (value) => {
      const answer = await app.root.call('PUT', '/api/option/', {
        key: 'ModelRequestRateLimitGroup',
        value,
      })
      expect(answer.success).toBe(false)
    },
  )
})
