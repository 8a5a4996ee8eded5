// OpenAI's newer clients send their rules in the role `developer`. Most servers of its dialect know `system` only: they refuse the other, or leave it unread
// without a word, so that an adapter writes it as `system` unless its upstream is named here.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Adapter, AttemptContext, Body, ChatOperation } from '#core'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** OpenAI itself, xAI, models of many makers with OpenAI's among them, and addresses that nobody knows. */
const knowsIt = new Set(['openai', 'xai', 'azure', 'azure-foundry', 'github-models', 'custom'])
// At Bedrock and Vertex only models of other makers use this dialect; Coze and Dify have formats of their own.

const body: Body = { model: 'm', messages: [{ role: 'developer', content: 'Be brief.' }] }
const context = {
  model: 'm',
  requestedModel: 'm',
  resolved: { model: 'm' },
  channel: { baseUrl: 'http://127.0.0.1', key: 'k', other: '', setting: {} },
  clientHeaders: {},
  clientBody: body,
  clientQuery: {},
  variable: () => undefined,
  options: { get: () => undefined },
  drop: () => undefined,
  note: () => undefined,
} as unknown as AttemptContext

async function chats(): Promise<{ id: string; chat: ChatOperation }[]> {
  const found: { id: string; chat: ChatOperation }[] = []
  for (const file of globSync('*/index.ts', { cwd: folder })) {
    const { default: adapter } = (await import(join(folder, file))) as { default: Adapter }
    const { chat } = adapter.operations
    const operation = typeof chat === 'function' ? chat(context) : chat
    if (operation) found.push({ id: adapter.id, chat: operation })
  }
  return found
}

const all = await chats()
const compatible = all.filter(({ chat }) => {
  if (!('dialects' in chat)) return false
  const { dialects } = chat
  const spoken = typeof dialects === 'function' ? dialects('m', context.channel) : dialects
  return spoken.includes('openai-chat')
})

describe('rules in the role of a developer', () => {
  it.each(compatible.map(({ id }) => id))('reach the models of %s', async (id) => {
    const chat = compatible.find((one) => one.id === id)?.chat
    if (!chat || !('dialects' in chat)) throw new Error('no chat')
    const edited = (await chat.body?.(body, 'openai-chat', context)) ?? body
    const [first] = edited['messages'] as Body[]
    const says = `${id} ${knowsIt.has(id) ? 'is named in' : 'edits its requests by withoutDeveloperRole, or is named in'} knowsIt`
    expect(first?.['role'], says).toBe(knowsIt.has(id) ? 'developer' : 'system')
  })
})

it('are written as system by what authors start from', async () => {
  const template = '../docs/templates/adapters/compatible/acme/index.ts'
  const { default: acme } = (await import(template)) as { default: Adapter }
  const { chat } = acme.operations
  if (typeof chat !== 'object' || !('dialects' in chat)) throw new Error('no chat')
  const edited = await chat.body?.(body, 'openai-chat', context)
  expect(edited).toMatchObject({ messages: [{ role: 'system' }] })
})
