// OpenAI answers a list of unknown contents with 400 ("In context=('properties', 'x'), array schema missing items"); Claude and
// Gemini take it, and tools of MCP servers have such lists.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import { codecs } from './index.ts'

const loose = {
  type: 'object',
  properties: {
    list: { type: 'array' },
    maybe: { type: ['array', 'null'], description: 'or nothing' },
    // A property of this name is no list.
    type: { type: 'string', default: { type: 'array' } },
    deep: { anyOf: [{ type: 'array', items: { type: 'array' } }, { type: 'string' }] },
    fixed: { type: 'array', prefixItems: [{ type: 'string' }] },
  },
}

const told = {
  type: 'object',
  properties: {
    list: { type: 'array', items: {} },
    maybe: { type: ['array', 'null'], description: 'or nothing', items: {} },
    type: { type: 'string', default: { type: 'array' } },
    deep: { anyOf: [{ type: 'array', items: { type: 'array', items: {} } }, { type: 'string' }] },
    fixed: { type: 'array', prefixItems: [{ type: 'string' }] },
  },
}

function built(dialect: ChatDialect): string {
  const body = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'look', input_schema: loose }],
    output_config: { format: { type: 'json_schema', schema: loose } },
  }
  const request = codecs['anthropic-messages'].parseRequest(body, {})
  const target = { upstreamModel: 'gpt-4.1', dropped: [], option: () => undefined as never }
  return JSON.stringify(codecs[dialect].buildRequest(request, target))
}

it.each(['openai-chat', 'openai-responses'] as const)(
  '%s gets lists that hold anything',
  (dialect) => {
    const said = built(dialect)
    expect(said).toContain(`"parameters":${JSON.stringify(told)}`)
    expect(said).toContain(`"schema":${JSON.stringify(told)}`)
  },
)
