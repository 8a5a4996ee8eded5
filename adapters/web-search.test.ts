// A client of Anthropic or Responses offers a web search in nearly every call, as Claude Code's does. Where such a call is converted, the wish goes as
// `web_search_options` only to who is known to take it: most hosts of OpenAI's dialect refuse fields that they do not know.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Adapter, AttemptContext } from '#core'

const folder = fileURLToPath(new URL('.', import.meta.url))
const context = {
  model: 'm',
  requestedModel: 'm',
  resolved: { model: 'm' },
  channel: { baseUrl: 'http://127.0.0.1', key: 'k', other: '', setting: {} },
} as unknown as AttemptContext

/** Whether `web_search_options` is taken for a model; left out where its name alone says so. */
async function saysOf(model: string): Promise<Record<string, boolean>> {
  const says: Record<string, boolean> = {}
  for (const file of globSync('*/index.ts', { cwd: folder })) {
    const { default: adapter } = (await import(join(folder, file))) as { default: Adapter }
    const { chat } = adapter.operations
    const operation = typeof chat === 'function' ? chat(context) : chat
    const can =
      operation && 'capabilities' in operation ? operation.capabilities?.(model) : undefined
    if (can?.webSearch !== undefined) says[adapter.id] = can.webSearch
  }
  return says
}

it('is asked of those that search, and of addresses that may be a gateway', async () => {
  const says =
    'an adapter whose capabilities state webSearch is named here, with the page that says so'
  expect(await saysOf('m'), says).toEqual({
    perplexity: true,
    openrouter: true,
    openai: true,
    custom: true,
    'baidu-v2': false,
  })
})

it('is not asked of OpenAI’s models that do not search', async () => {
  const { openai, custom } = await saysOf('gpt-4.1')
  expect({ openai, custom }).toEqual({ openai: false, custom: false })
  expect(await saysOf('gpt-4o-search-preview')).toMatchObject({ openai: true, custom: true })
  expect(await saysOf('openai/gpt-4.1')).toMatchObject({ openai: true, custom: true })
})
