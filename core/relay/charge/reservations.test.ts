// What calls reserve whose prompt the provider adds to, or whose tools it runs: the limit of their answer says little of their cost.
import { describe, expect, it } from 'vitest'
import { addChannel, addCustomer, consumptionRows, relayRoom, sendJson, setPrice } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'first' })

let number = 0
const COST = 40_000
const answer = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [],
  usage: { input_tokens: COST - 10, output_tokens: 10, total_tokens: COST },
}

it('reserves for the instructions that a channel of the model adds', async () => {
  const prompt = 'Be brief. '.repeat(3500)
  await addChannel(room.app.root, {
    base_url: room.upstream.url,
    models: 'briefed',
    setting: JSON.stringify({ system_prompt: prompt }),
  })
  await setPrice(room.app.root, 'briefed', 1)
  const { key } = await addCustomer(room.app.root, 'almost-broke', 5000)
  const ask = async (model: string) => {
    const response = await fetch(`${room.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return { status: response.status, body: await response.text() }
  }
  const message = { role: 'assistant', content: 'Hi' }
  room.upstream.behave((response) =>
    sendJson(response, { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  )
  expect(await ask('m')).toMatchObject({ status: 200 })
  expect(await ask('briefed')).toMatchObject({ status: 403, body: expect.stringMatching(/quota/i) })
})

describe('the second of two calls at once', () => {
  it.each([
    { more: {}, rule: 'estimate' },
    { more: { tools: [{ type: 'function', name: 'f', parameters: {} }] }, rule: 'estimate' },
    { more: { tools: [{ type: 'web_search' }] }, rule: 'recent_account' },
    { more: { prompt: { id: 'pmpt_1' } }, rule: 'recent_account' },
    { more: { conversation: 'conv_1' }, rule: 'recent_account' },
  ])('with $more reserves by $rule', async ({ more, rule }) => {
    const name = `caller-${(number += 1)}`
    const customer = await addCustomer(room.app.root, name, 10 * COST)
    const ask = (body: object) =>
      fetch(`${room.app.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', input: 'Hi', ...body }),
      }).then((response) => response.text())
    room.upstream.behave((response) => sendJson(response, answer))
    await ask({})
    const { promise: second, resolve } = Promise.withResolvers<undefined>()
    let came = 0
    room.upstream.behave(async (response) => {
      came += 1
      if (came === 2) resolve(undefined)
      await second
      sendJson(response, answer)
    })
    const first = ask({ max_output_tokens: 20 })
    await expect.poll(() => came).toBe(1)
    await Promise.all([first, ask({ max_output_tokens: 20, user: 'second', ...more })])
    const rows = await consumptionRows(room.app.root, name)
    const rules = rows.map(({ other }) => {
      const { receipt } = JSON.parse(other) as { receipt: { reserved: { rule: string } } }
      return receipt.reserved.rule
    })
    expect(rules.toSorted()).toEqual(['estimate', 'estimate', rule].toSorted())
  })
})
