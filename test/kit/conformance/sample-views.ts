import type { JsonObject, RelayView } from '#core'

/** Calls of all the shapes that a hook meets; nothing in them can be changed. */
export function sampleViews(): { name: string; view: RelayView }[] {
  const call = (name: string, more: Partial<RelayView>, texts: readonly string[] = []) => ({
    name,
    view: Object.freeze({ ...plain, ...more, texts: () => texts }),
  })
  const chat = { model: 'a-model', messages: [{ role: 'user', content: 'Hello' }] }
  return [
    call('a chat call', { body: frozen(chat) }, ['Hello']),
    call('a streamed call', { body: frozen({ ...chat, stream: true }), isStream: true }, ['Hello']),
    call('a call without a body', { body: undefined }),
    call('a call with an empty body', { body: frozen({}) }),
    call('a call with strange contents', { body: frozen({ model: 'm', messages: [null, 1, {}] }) }),
    call('a call without words', { operation: 'audio.transcriptions', body: undefined }, ['']),
    call('a call in another dialect', { dialect: 'anthropic-messages', body: frozen(chat) }, [
      'Hello',
    ]),
    call('a task', { operation: 'task', body: frozen({ prompt: 'a drawing' }) }, ['a drawing']),
    call('a long call', { body: frozen(chat) }, ['word '.repeat(200_000)]),
  ]
}

const plain: Omit<RelayView, 'texts'> = {
  requestId: 'request-of-the-kit',
  userId: 1,
  tokenId: 1,
  group: 'default',
  model: 'a-model',
  operation: 'chat',
  dialect: 'openai-chat',
  isStream: false,
  body: undefined,
}

function frozen(value: JsonObject): JsonObject {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) frozen(inner as JsonObject)
  return Object.freeze(value)
}
