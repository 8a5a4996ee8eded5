import { expect, it } from 'vitest'
import { checkAction } from './check-action.ts'

const context = {
  userId: 1,
  language: 'en',
  input: '',
  signal: AbortSignal.timeout(1_000),
} as const
const keys = { StripeApiSecret: 'sk_test_1', StripeWebhookSecret: 'whsec_1' }

async function check(answer: { status: number; body: unknown }, more: Partial<typeof keys> = {}) {
  const asked: { url: string; headers: Record<string, string> }[] = []
  const fetch = (request: (typeof asked)[number]) => {
    asked.push(request)
    return Promise.resolve(answer)
  }
  const values = new Map<string, unknown>(Object.entries({ ...keys, ...more }))
  const action = checkAction({ fetch: fetch as never, api: () => 'https://api.test' })
  const get = (key: string) => values.get(key) as never
  const { ok, message } = await action.run({ get }, context)
  return { ok, message: message.en, asked }
}

it('asks Stripe for the balance with the key that is typed', async () => {
  const { ok, message, asked } = await check({ status: 200, body: { livemode: false } })
  expect({ ok, message }).toEqual({ ok: true, message: expect.stringContaining('test mode') })
  expect(asked).toMatchObject([
    { url: 'https://api.test/v1/balance', headers: { authorization: 'Bearer sk_test_1' } },
  ])
  expect((await check({ status: 200, body: { livemode: true } })).message).toContain('live')
})

it.each([
  {
    name: 'what Stripe says of a wrong key',
    answer: { status: 401, body: { error: { message: 'Invalid API Key provided' } } },
    more: {},
    words: 'Stripe refuses the key: Invalid API Key provided',
  },
  {
    name: 'the status of an answer that says nothing',
    answer: { status: 502, body: 'bad gateway' },
    more: {},
    words: 'Stripe refuses the key: HTTP 502',
  },
  {
    name: 'that the other secret is none of a webhook',
    answer: { status: 200, body: {} },
    more: { StripeWebhookSecret: 'sk_test_1' },
    words: 'should begin with whsec_',
  },
])('tells $name', async ({ answer, more, words }) => {
  const { ok, message } = await check(answer, more)
  expect(ok).toBe(false)
  expect(message).toContain(words)
})

it('asks nobody without a key', async () => {
  const { ok, asked } = await check({ status: 200, body: {} }, { StripeApiSecret: '' })
  expect({ ok, asked }).toEqual({ ok: false, asked: [] })
})
