import { describe, expect, it } from 'vitest'
import type { ChatRequest, Effort, ToolChoice } from '../../contract/neutral.ts'
import { nearestEffort } from './effort.ts'
import { codecs } from '../index.ts'
import { openaiEfforts } from './model-families.ts'

it.each<[string, Effort, Effort]>([
  ['gpt-5', 'none', 'minimal'],
  ['gpt-5-mini', 'max', 'high'],
  ['gpt-5.1', 'minimal', 'none'],
  ['gpt-5.4', 'max', 'xhigh'],
  ['gpt-5.6', 'max', 'max'],
  ['openai/gpt-5.6-sol', 'max', 'max'],
  ['gpt-6', 'max', 'max'],
  ['gpt-5-codex', 'none', 'low'],
  ['gpt-5.1-codex-mini', 'xhigh', 'high'],
  ['gpt-5.1-codex-max', 'max', 'xhigh'],
  ['gpt-5.3-codex', 'none', 'low'],
  ['gpt-5-pro', 'low', 'high'],
  ['gpt-5.2-pro', 'none', 'medium'],
  ['o3', 'xhigh', 'high'],
  ['qwen3-max', 'minimal', 'minimal'],
])('asks %s for the effort that it has nearest to %s', (model, wish, effort) => {
  expect(nearestEffort(wish, openaiEfforts(model))).toBe(effort)
})

const question: ChatRequest = {
  model: 'm',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [{ name: 'f', parameters: { type: 'object', properties: { x: { type: 'string' } } } }],
  hostedTools: [],
  stream: false,
  includeUsage: false,
}

function asked(model: string, more: Partial<ChatRequest>) {
  const dropped: string[] = []
  const target = { upstreamModel: model, dropped, option: () => undefined as never }
  const body = codecs['anthropic-messages'].buildRequest({ ...question, ...more }, target)
  return { body, dropped }
}

describe('a Claude model that shall not think', () => {
  it.each([
    ['claude-opus-5', { type: 'disabled' }],
    ['claude-haiku-5-5', { type: 'disabled' }],
    ['us.anthropic.claude-sonnet-5-v1:0', { type: 'disabled' }],
    ['claude-sonnet-5-5', { type: 'between_tools' }],
  ])('is told so in its word for it: %s', (model, thinking) => {
    for (const reasoning of [{ effort: 'none' }, { budget: 0 }] as const) {
      const { body, dropped } = asked(model, { reasoning })
      expect(body).toMatchObject({ thinking })
      expect(body['output_config']).toBeUndefined()
      expect(dropped).toEqual([])
    }
  })

  it.each(['claude-fable-5', 'claude-mythos-5-1', 'claude-opus-5-5', 'claude-opus-6'])(
    'and cannot but think is asked to think little: %s',
    (model) => {
      const { body, dropped } = asked(model, { reasoning: { effort: 'none' } })
      expect(body['thinking']).toBeUndefined()
      expect(body['output_config']).toEqual({ effort: 'low' })
      expect(dropped).toEqual(['reasoning'])
    },
  )

  it('is read from either word', () => {
    for (const type of ['disabled', 'between_tools']) {
      const messages = [{ role: 'user', content: 'Hi' }]
      const { parseRequest } = codecs['anthropic-messages']
      const body = { model: 'm', max_tokens: 9, thinking: { type }, messages }
      expect(parseRequest(body, {}).reasoning).toEqual({ budget: 0 })
    }
  })
})

describe('a tool call that is demanded of Claude', () => {
  it.each(['claude-opus-5', 'claude-fable-5', 'claude-haiku-5-5', 'claude-sonnet-4-5'])(
    'is demanded where it can be: %s',
    (model) => {
      const { body, dropped } = asked(model, { toolChoice: { mode: 'one', name: 'f' } })
      expect(body['tool_choice']).toEqual({ type: 'tool', name: 'f' })
      expect(dropped).toEqual([])
    },
  )

  it.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-mythos-5-2'])(
    'is said in words to a model that refuses demands, and named: %s',
    (model) => {
      const any = 'Answer by calling one of the tools, not by text.'
      for (const [toolChoice, text] of [
        [{ mode: 'required' }, any],
        [{ mode: 'one', name: 'f' }, 'Answer by calling the tool "f", not by text.'],
        [{ mode: 'some', names: ['f'], required: true }, any],
      ] satisfies [ToolChoice, string][]) {
        const { body, dropped } = asked(model, { toolChoice })
        expect(body['tool_choice']).toEqual({ type: 'auto' })
        expect(body['system']).toEqual([{ type: 'text', text }])
        expect(dropped).toEqual(['tool_choice'])
      }
      const left = asked(model, { toolChoice: { mode: 'auto' } })
      expect(left.dropped).toEqual([])
      expect(left.body['system']).toBeUndefined()
    },
  )
})
