// Through a whole gateway: what a customer may name of the operator's own data at Azure.
import { beforeEach, describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const open = JSON.stringify({ allow_project_data: true })
const room = relayRoom({
  channels: [
    { models: 'azure-chat', type: 3 },
    { models: 'foundry-chat', type: 1005 },
    { models: 'open-chat', type: 3, setting: open },
  ],
  priced: ['azure-chat', 'foundry-chat', 'open-chat'],
  customer: 'curious',
})
const message = { role: 'assistant', content: 'Hello' }

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response) =>
    sendJson(response, {
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }),
  )
})

const index = {
  type: 'azure_search',
  parameters: {
    endpoint: 'https://operator.search.windows.net',
    index_name: 'contracts',
    authentication: { type: 'system_assigned_managed_identity' },
  },
}
const ask = (model: string, more: object) =>
  room.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }], ...more })

describe('data sources in a chat', () => {
  it.each([
    ['azure-chat', 'data_sources'],
    ['azure-chat', 'dataSources'],
    ['foundry-chat', 'data_sources'],
  ])('are not asked for a customer of %s (%s)', async (model, name) => {
    const response = await ask(model, { [name]: [index] })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(name)
    expect(room.upstream.calls).toHaveLength(0)
  })

  it('are asked where the channel lets its customers see them', async () => {
    expect((await ask('open-chat', { data_sources: [index] })).status).toBe(200)
    expect(room.upstream.calls[0]?.body).toMatchObject({ data_sources: [index] })
    expect((await ask('azure-chat', { data_sources: null })).status).toBe(200)
    expect((await ask('foundry-chat', {})).status).toBe(200)
  })
})
