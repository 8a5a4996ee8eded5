// Which channel a retry takes when few are left.
import { beforeAll, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const models = 'served,lone,paired'

const room = relayRoom({
  channels: [
    { models: 'served', name: 'first', key: 'sk-first', priority: 10 },
    { models: 'served', name: 'equal', key: 'sk-equal', priority: 10 },
    { models: 'served', name: 'last', key: 'sk-last', priority: 0 },
    { models: 'lone', name: 'lone', key: 'sk-lone' },
    {
      models: 'paired',
      name: 'paired',
      key: 'sk-one\nsk-two',
      setting: '{"multi_key":true,"multi_key_mode":"polling"}',
    },
  ],
  priced: models.split(','),
  customer: 'tireless',
})

beforeAll(() => room.app.root.put('/api/option/', { key: 'RetryTimes', value: '3' }))

const answer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
}

/** What the client gets, and whose keys were tried, if the channels answer with these statuses. */
async function tried(model: string, statuses: Readonly<Record<string, number>>) {
  room.upstream.calls.length = 0
  room.upstream.behave((response, { headers }) => {
    const status = statuses[String(headers['authorization']).slice('Bearer sk-'.length)]
    if (status === undefined) sendJson(response, answer)
    else sendJson(response, { error: { message: 'no', type: 'refused' } }, status)
  })
  const messages = [{ role: 'user', content: 'Hi' }]
  const { status } = await room.post('/v1/chat/completions', { model, messages })
  const names = room.upstream.calls.map(({ headers }) =>
    String(headers['authorization']).slice('Bearer sk-'.length),
  )
  return { status, names }
}

it('is the untried one of a higher priority, before one is repeated', async () => {
  expect(await tried('served', { first: 500, last: 500 })).toMatchObject({ status: 200 })
  expect(await tried('served', { equal: 500, last: 500 })).toMatchObject({ status: 200 })
  const { status, names } = await tried('served', { first: 500, equal: 500, last: 500 })
  expect(status).toBe(500)
  expect(names).toHaveLength(4)
  expect(new Set(names.slice(0, 3))).toEqual(new Set(['first', 'equal', 'last']))
})

it('is the same one again after a failure that may pass', async () => {
  expect(await tried('lone', { lone: 500 })).toEqual({
    status: 500,
    names: Array.from({ length: 4 }, () => 'lone'),
  })
})

it.each([401, 402])('is never one again whose key was refused: %d', async (status) => {
  expect(await tried('lone', { lone: status })).toEqual({ status, names: ['lone'] })
  const { names } = await tried('served', { first: status, last: status, equal: 500 })
  expect(names.filter((name) => name !== 'equal').toSorted()).toEqual(['first', 'last'])
  expect(names.filter((name) => name === 'equal')).toHaveLength(2)
})

it('is one again that has a key which was not refused', async () => {
  const { status, names } = await tried('paired', { one: 401, two: 503 })
  expect(status).toBe(503)
  expect(names).toEqual(['one', 'two', 'two', 'two', 'two'])
})
