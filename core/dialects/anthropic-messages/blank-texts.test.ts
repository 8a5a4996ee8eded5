// Claude refuses texts that are empty or white space alone, and a beginning of its answer that ends in white space.
import { describe, expect, it } from 'vitest'
import { codecs } from '../index.ts'

function built(messages: readonly object[]) {
  const body = { model: 'm', messages }
  const request = codecs['openai-chat'].parseRequest(body, { model: 'm', stream: false })
  return codecs['anthropic-messages'].buildRequest(request, {
    upstreamModel: 'claude-sonnet-4-5',
    dropped: [],
    option: () => undefined as never,
    hints: {},
  })
}

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const textOf = (text: string) => ({ type: 'text', text })

describe('a text of white space', () => {
  it('is left out beside others, and of the instructions', () => {
    const body = built([
      { role: 'system', content: ' \n' },
      { role: 'user', content: [textOf('\n'), textOf('Hi'), textOf(' ')] },
    ])
    expect(body['system']).toBeUndefined()
    expect(body['messages']).toEqual([{ role: 'user', content: [textOf('Hi')] }])
  })

  it('gives way to the filler where it is all of a turn', () => {
    const body = built([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '\n\n' },
      { role: 'user', content: '  ' },
    ])
    expect(body['messages']).toEqual([
      { role: 'user', content: [textOf('Hi')] },
      { role: 'assistant', content: [textOf('...')] },
      { role: 'user', content: [textOf('...')] },
    ])
  })

  it('is left out beside calls, and makes an empty result', () => {
    const body = built([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '\n', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: ' \n' },
    ])
    const [, model, result] = body['messages'] as { content: object[] }[]
    expect(model?.content).toMatchObject([{ type: 'tool_use' }])
    expect(result?.content).toMatchObject([{ type: 'tool_result', content: '' }])
  })

  it('is cut from the end of an answer that Claude is to go on with, and from no other', () => {
    const body = built([
      { role: 'user', content: 'Hi ' },
      { role: 'assistant', content: 'So: ' },
      { role: 'user', content: 'On ' },
      { role: 'assistant', content: 'It is \n' },
    ])
    const texts = (body['messages'] as { content: { text: string }[] }[]).map(
      ({ content }) => content[0]?.text,
    )
    expect(texts).toEqual(['Hi ', 'So: ', 'On ', 'It is'])
  })

  it('does not hide the white space before it at the end of a beginning', () => {
    const begun = { role: 'assistant', content: [textOf('One, '), textOf('\n'), textOf(' ')] }
    const body = built([{ role: 'user', content: 'Count.' }, begun])
    expect(body['messages']).toMatchObject([{ role: 'user' }, { content: [textOf('One,')] }])
    const refused = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No. ' }] }
    expect(built([{ role: 'user', content: 'Count.' }, refused])['messages']).toMatchObject([
      { role: 'user' },
      { content: [textOf('No.')] },
    ])
  })
})
