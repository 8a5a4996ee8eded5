// Items `configuration_update` change effort and format in the middle of a conversation (API reference, Responses, `input`).
import { describe, expect, it } from 'vitest'
import { parseRequest } from './parse-request.ts'

const hi = { role: 'user', content: 'Hi' }
const schema = { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true }

function update(settings: object) {
  return { type: 'configuration_update', ...settings }
}

describe('settings that a conversation changes', () => {
  it('hold until a later item changes them', () => {
    const request = parseRequest({
      model: 'm',
      reasoning: { effort: 'low', summary: 'auto' },
      input: [
        hi,
        update({ reasoning: { effort: 'xhigh' }, text: { format: schema } }),
        { role: 'assistant', content: 'Yes?' },
        update({ reasoning: { effort: 'high' } }),
        hi,
      ],
    })
    expect(request.reasoning).toMatchObject({ effort: 'high', summary: 'auto' })
    expect(request.responseFormat).toMatchObject({ type: 'schema', name: 'n' })
    expect(request.turns.map(({ role }) => role)).toEqual(['user', 'model', 'user'])
  })

  it('may go back to plain text', () => {
    const text = { format: schema }
    const plain = update({ text: { format: { type: 'text' } } })
    expect(parseRequest({ model: 'm', text, input: [plain, hi] }).responseFormat).toBeUndefined()
    expect(parseRequest({ model: 'm', text, input: [update({}), hi] }).responseFormat).toBeDefined()
  })

  it('are refused by their place', () => {
    const wrong = update({ reasoning: { effort: 'much' } })
    expect(() => parseRequest({ model: 'm', input: [hi, wrong] })).toThrow(
      /input\[1\]\.reasoning\.effort: "much" is not supported/,
    )
  })
})

it('only prepares a cache where the upstream can', () => {
  const options = { prompt_cache_options: { prewarm: true } }
  expect(parseRequest({ model: 'm', input: 'Hi', ...options }).nativeFields).toEqual([
    'prompt_cache_options.prewarm',
  ])
})
