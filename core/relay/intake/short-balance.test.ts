// What a call is told that its account or token cannot pay: an amount as the console shows it.
import { afterEach, expect, it } from 'vitest'
import { addCustomer, relayRoom } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'rich' })

/** Asks for an answer of eight thousand tokens, which cost a unit each: 1.7 cents with the prompt. */
async function ask(key: string, language: string): Promise<unknown> {
  const response = await fetch(`${room.app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': language,
    },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 8_000,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
  return response.json()
}

const show = (inCurrency: boolean) =>
  room.app.root.put('/api/option/', {
    key: 'DisplayInCurrencyEnabled',
    value: String(inCurrency),
  })

afterEach(() => show(true))

it.each([
  [
    'en',
    true,
    /^The balance is too low: this needs \$0\.017, which is more than is left\. Top up, then try again\. /,
  ],
  ['zh', true, /^余额不足：需要 \$0\.017，超过剩余额度。请充值后重试。 /],
  ['en', false, /^The balance is too low: this needs 8500 units, which is more than is left\./],
  ['zh', false, /^余额不足：需要 8500 点额度，超过剩余额度。/],
])('says in %s what an account lacks, with currency %s', async (language, inCurrency, words) => {
  await show(inCurrency)
  const { key } = await addCustomer(room.app.root, `poor-${language}-${inCurrency}`, 500)
  expect(await ask(key, language)).toMatchObject({
    error: { code: 'insufficient_user_quota', message: expect.stringMatching(words) },
  })
})

it.each([
  ['en', /^This call needs \$0\.017, which is more than the token has left\./],
  ['zh', /^本次调用需要 \$0\.017，令牌剩余额度不足。/],
])('says in %s what a token lacks', async (language, words) => {
  const token = { unlimited_quota: false, remain_quota: 500 }
  const { key } = await addCustomer(room.app.root, `rich-${language}`, 10_000_000, token)
  expect(await ask(key, language)).toMatchObject({
    error: { code: 'pre_consume_token_quota_failed', message: expect.stringMatching(words) },
  })
})

// Programs take RESOURCE_EXHAUSTED for a limit that passes, whatever the status beside it, and repeat the call (opencode
// for ever). Google itself answers a project without billing with PERMISSION_DENIED.
it('does not sound like a limit that passes to a client of Gemini', async () => {
  const { key } = await addCustomer(room.app.root, 'poor-at-gemini', 500)
  const answer = await fetch(`${room.app.url}/v1beta/models/m:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      contents: [{ parts: [{ text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: 8_000 },
    }),
  })
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } })
})

it('tells an admin who takes more than there is the amount in dollars', async () => {
  const { id } = await addCustomer(room.app.root, 'taken-from', 500_000)
  const taking = room.app.root.post('/api/user/manage', {
    id,
    action: 'change_quota',
    value: -750_000,
  })
  const words = 'The balance is too low: this needs $1.50, which is more than is left.'
  await expect(taking).rejects.toThrow(words)
})
