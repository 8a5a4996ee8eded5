// Answers of upstreams that are odd or broken in their form: what can be read is read, what cannot is the upstream's fault and another channel's turn.
import { describe, expect, it } from 'vitest'
import { balanceOf, type ShownLog } from '#test'
import { relayRoom } from '../../harness/relay-room.ts'
import { writeEvents } from '../../harness/scripted-upstream.ts'

const balance = 1_000_000
const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'g', type: 24 }],
  priced: ['m', 'g'],
  customer: 'caller',
  balance,
  isAnew: true,
  env: { STREAMING_TIMEOUT: '2', RELAY_TIMEOUT: '10' },
})

const ask = (model: string, isStream: boolean) =>
  room.post('/v1/chat/completions', {
    model,
    stream: isStream,
    messages: [{ role: 'user', content: 'Hi' }],
  })

async function errorRows(): Promise<ShownLog[]> {
  const query = new URLSearchParams({ username: room.customer.username, type: '5' })
  return (await room.app.root.get<{ items: ShownLog[] }>(`/api/log/?${query.toString()}`)).items
}

describe('a list that breaks off in a stream of Gemini', () => {
  it('is a fault of the upstream where it comes first', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, ['data: [{"candidates"\n\n'])
      response.end()
    })
    const answer = await ask('g', true)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_response_body' } })
    expect(await errorRows()).toHaveLength(1)
    expect(await balanceOf(room.customer)).toBe(balance)
  })

  it('is one after the first words', async () => {
    room.upstream.behave((response) => {
      const candidate = { index: 0, content: { role: 'model', parts: [{ text: 'one two' }] } }
      writeEvents(response, [{ candidates: [candidate] }, 'data: [{"candidates"\n\n'])
      response.end()
    })
    const text = await (await ask('g', true)).text()
    expect(text).toContain('one two')
    expect(text).toContain('bad_response_body')
    expect(await errorRows()).toHaveLength(1)
  })
})
