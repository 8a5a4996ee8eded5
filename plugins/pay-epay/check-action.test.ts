import { expect, it } from 'vitest'
import { checkAction } from './check-action.ts'

const context = {
  userId: 1,
  language: 'en',
  input: '',
  signal: AbortSignal.timeout(1_000),
} as const
const merchant = { PayAddress: 'https://pay.test/x/', EpayId: '1001', EpayKey: 'merchant-key' }

async function check(body: unknown, more: Record<string, string> = {}) {
  const asked: string[] = []
  const fetch = ({ url }: { url: string }) => {
    asked.push(url)
    return Promise.resolve({ status: 200, body })
  }
  const values = new Map<string, unknown>(Object.entries({ ...merchant, ...more }))
  const get = (key: string) => values.get(key) as never
  const { ok, message } = await checkAction({ fetch: fetch as never }).run({ get }, context)
  return { ok, message: message.en, asked }
}

it('asks the gateway for the merchant behind its path', async () => {
  const { ok, asked } = await check({ code: 1, pid: 1001 })
  expect(ok).toBe(true)
  expect(asked).toEqual(['https://pay.test/x/api.php?act=query&pid=1001&key=merchant-key'])
})

it.each([
  { name: 'a refusal, in its words', body: { code: -3, msg: 'no such key' }, words: 'no such key' },
  {
    name: 'an answer of another protocol',
    body: '<html>',
    words: 'no answer of the epay protocol',
  },
  { name: 'JSON of another protocol', body: { ok: true }, words: 'no answer of the epay protocol' },
])('tells $name', async ({ body, words }) => {
  const { ok, message } = await check(body)
  expect(ok).toBe(false)
  expect(message).toContain(words)
})

it.each(Object.keys(merchant))('asks nobody while %s is missing', async (name) => {
  const { ok, asked } = await check({ code: 1 }, { [name]: '' })
  expect({ ok, asked }).toEqual({ ok: false, asked: [] })
})
