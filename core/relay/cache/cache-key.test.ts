import { expect, it } from 'vitest'
import type { AdmittedCall } from '../call/relay-call.ts'
import { isCacheable } from './cache-key.ts'

const plain = {
  operation: 'chat',
  dialect: 'openai-chat',
  body: { model: 'm' },
  bound: undefined,
  pinnedChannel: undefined,
}

it.each<[string, object, boolean]>([
  ['a plain chat', {}, true],
  ['a call that continues a stored response', { bound: { channelId: 1 } }, false],
  ['a call for one channel', { pinnedChannel: 1 }, false],
  ['a response in the background', { body: { background: true } }, false],
  ['a response that its upstream stores', { dialect: 'openai-responses' }, false],
  ['a response that nobody stores', { dialect: 'openai-responses', body: { store: false } }, true],
  [
    'a response that adds to a conversation of its upstream',
    { dialect: 'openai-responses', body: { store: false, conversation: 'conv_1' } },
    false,
  ],
  ['a message that goes on in a container', { body: { container: 'container_1' } }, false],
  ['a message without a container', { body: { container: null } }, true],
  [
    'a response whose code interpreter goes on in a container',
    { body: { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] } },
    false,
  ],
  [
    'a response whose code interpreter gets a container of its own',
    { body: { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] } },
    true,
  ],
  [
    'a response whose shell goes on in a container',
    {
      body: {
        tools: [
          { type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } },
        ],
      },
    },
    false,
  ],
  ['a chat whose tools are no objects', { body: { tools: [null, 'x'] } }, true],
  ['a picture', { operation: 'images.generations' }, false],
  ['a call without a JSON body', { body: undefined }, false],
])('%s: %j may be answered from a cache: %s', (_what, more, isAllowed) => {
  expect(isCacheable({ ...plain, ...more } as unknown as AdmittedCall)).toBe(isAllowed)
})
