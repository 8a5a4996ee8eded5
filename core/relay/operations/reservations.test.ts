// What calls reserve whose cost only their answer tells: many at once must not cost far more than the balance.
import { beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, balanceOf, type Customer, relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'gpt-image-1,gpt-4o-transcribe' }],
  priced: ['gpt-image-1', 'gpt-4o-transcribe'],
  customer: 'first',
})
const costUnits = 40_000
const callsAtOnce = 20

const usage = { input_tokens: 10, output_tokens: costUnits - 10 }
const answers = {
  images: { created: 1, data: [{ b64_json: 'AAAA' }], usage },
  audio: { text: 'Hi', usage },
}

function bodyOf(kind: keyof typeof answers): [path: string, body: FormData] {
  const form = new FormData()
  form.set('model', kind === 'images' ? 'gpt-image-1' : 'gpt-4o-transcribe')
  form.set('prompt', 'a cat')
  form.set(kind === 'images' ? 'image' : 'file', new Blob(['x']), 'a.png')
  return [kind === 'images' ? '/v1/images/edits' : '/v1/audio/transcriptions', form]
}

async function ask({ key }: Customer, kind: keyof typeof answers): Promise<number> {
  const [path, body] = bodyOf(kind)
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(room.app.url + path, { method: 'POST', headers, body })
  await answer.text()
  return answer.status
}

describe.each(['images', 'audio'] as const)('many calls at once for %s', (kind) => {
  beforeAll(async () => {
    room.upstream.behave((response) => sendJson(response, answers[kind]))
    expect(await ask(room.customer, kind)).toBe(200)
  })

  it('end near zero once it is known what they cost', async () => {
    const customer = await addCustomer(room.app.root, `burst-${kind}`, 2.5 * costUnits)
    // No answer before all calls are let in or refused.
    const { promise: decided, resolve } = Promise.withResolvers<undefined>()
    room.upstream.behave(async (response) => {
      await decided
      sendJson(response, answers[kind])
    })
    let refused = 0
    const calls = Array.from({ length: callsAtOnce }, async () => {
      const status = await ask(customer, kind)
      refused += status === 403 ? 1 : 0
      return status
    })
    await expect.poll(() => refused).toBe(callsAtOnce - 3)
    resolve(undefined)
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(3)
    expect(await balanceOf(customer)).toBe(-0.5 * costUnits)
  })
})
