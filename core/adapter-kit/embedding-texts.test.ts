// LangChain's client of OpenAI sends tokens instead of texts unless it is told not to. They are OpenAI's: nobody else can read them.
import { expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const types = { gemini: 24, minimax: 35, cohere: 34, tencent: 23 }
const models = Object.keys(types)

const room = relayRoom({
  channels: Object.entries(types).map(([model, type]) => ({
    models: model,
    type,
    ...(model === 'tencent' ? { key: '1|2|3' } : {}),
  })),
  priced: models,
  customer: 'embedder',
})

it.each(
  models.flatMap((model) =>
    [
      [1, 2],
      [[1, 2], [3]],
    ].map((input) => [model, input] as const),
  ),
)('are texts: %s refuses %j by name and asks nobody', async (model, input) => {
  room.upstream.behave((response) => sendJson(response, {}))
  const asked = room.upstream.calls.length
  const answer = await room.post('/v1/embeddings', { model, input })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 'unsupported_parameter', param: 'input' },
  })
  expect(room.upstream.calls).toHaveLength(asked)
})
