// A charge that the database refuses: the answer ends with an error, the client is charged nothing, and its place is free again.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, relayRoom, sendJson, writeEvents } from '#test'

const metricsToken = 'metrics-of-the-test'
const model = 'refused'
const room = relayRoom({
  channels: [{ models: model }, { models: model }],
  priced: [model],
  customer: 'uncharged',
  env: { METRICS_TOKEN: metricsToken },
})
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model,
  choices: [{ index: 0, delta, finish_reason }],
})

/** What no row of ours brings about: the rows of one model cannot be written. */
beforeAll(() => {
  const file = new DatabaseSync(join(room.app.dataDir, 'tollgate.db'), { timeout: 10_000 })
  file.exec(`CREATE TRIGGER refuse_rows BEFORE INSERT ON logs WHEN NEW.model_name = '${model}'
    BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  file.close()
})

const ask = (path: string, isStream: boolean) =>
  room.post(
    path,
    { model, stream: isStream, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
    { 'anthropic-version': '2023-06-01' },
  )

const openCalls = async () => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${room.app.url}/metrics`, { headers })).text()
  return /^tollgate_open_calls (\d+)$/m.exec(text)?.[1]
}

describe('a charge that cannot be written', () => {
  it.each(['/v1/chat/completions', '/v1/messages'])(
    'ends a stream of %s with an error event',
    async (path) => {
      room.upstream.behave((response) => {
        writeEvents(response, [
          chunk({ role: 'assistant', content: 'Hello' }),
          chunk({}, 'stop'),
          { ...chunk({}), choices: [], usage },
          'data: [DONE]\n\n',
        ])
        response.end()
      })
      const before = await balanceOf(room.customer)
      const answer = await ask(path, true)
      expect(answer.status).toBe(200)
      const text = await answer.text()
      expect(text).toContain('"error"')
      expect(text).not.toMatch(/\[DONE\]|message_stop/)
      expect(await balanceOf(room.customer)).toBe(before)
      expect(await openCalls()).toBe('0')
    },
  )

  it('is told with 500 in the place of a whole answer, and no other channel is asked', async () => {
    room.upstream.behave((response) =>
      sendJson(response, {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [
          { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' },
        ],
        usage,
      }),
    )
    const asked = room.upstream.calls.length
    const answer = await ask('/v1/chat/completions', false)
    expect(answer.status).toBe(500)
    expect(room.upstream.calls).toHaveLength(asked + 1)
    expect(await openCalls()).toBe('0')
  })
})
