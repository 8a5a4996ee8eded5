// Files of text, such as Claude's documents: chat completions take PDFs only ("Expected a base64-encoded data URL with an
// application/pdf MIME type … but got unsupported MIME type 'text/plain'").
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

const pdf = Buffer.from('%PDF-1.4').toString('base64')
const csv = Buffer.from('a,b\n1,2').toString('base64')

const document = (data: string) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
})

const message = {
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'user', content: [{ ...document('the file'), title: 'notes.txt' }, document('more')] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a1', name: 'read', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a1',
          content: [{ type: 'text', text: 'read:' }, document('found')],
        },
      ],
    },
  ],
}

const contents = {
  contents: [
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'text/csv', data: csv } },
        { inlineData: { mimeType: 'application/pdf', data: pdf } },
      ],
    },
  ],
}

function built(from: ChatDialect, to: ChatDialect, body: JsonObject): unknown {
  const request = codecs[from].parseRequest(body, { model: 'm' })
  const target = { upstreamModel: 'gpt-4.1', dropped: [], option: () => undefined as never }
  return codecs[to].buildRequest(request, target)
}

it('reach chat completions as text, also those in results of tools', () => {
  expect(built('anthropic-messages', 'openai-chat', message)).toMatchObject({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'notes.txt:\nthe file' },
          { type: 'text', text: 'more' },
        ],
      },
      { role: 'assistant' },
      { role: 'tool', content: 'read:\nfound' },
    ],
  })
  expect(built('gemini', 'openai-chat', contents)).toMatchObject({
    messages: [
      {
        content: [
          { type: 'text', text: 'a,b\n1,2' },
          {
            type: 'file',
            file: { filename: 'file.pdf', file_data: `data:application/pdf;base64,${pdf}` },
          },
        ],
      },
    ],
  })
})

it('reach Responses as text', () => {
  expect(built('anthropic-messages', 'openai-responses', message)).toMatchObject({
    input: [
      {
        content: [
          { type: 'input_text', text: 'notes.txt:\nthe file' },
          { type: 'input_text', text: 'more' },
        ],
      },
      { type: 'function_call' },
      { type: 'function_call_output', output: 'read:\nfound' },
    ],
  })
  expect(built('gemini', 'openai-responses', contents)).toMatchObject({
    input: [{ content: [{ type: 'input_text' }, { type: 'input_file', filename: 'file.pdf' }] }],
  })
})

it('stand in the result of a tool at Gemini, whose parts hold media only', () => {
  expect(built('anthropic-messages', 'gemini', message)).toMatchObject({
    contents: [
      { role: 'user' },
      { role: 'model' },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'read', response: { content: 'read:\nfound' } } }],
      },
    ],
  })
  const said = JSON.stringify(built('anthropic-messages', 'gemini', message))
  expect(said).not.toContain('"parts":[{"text":"found"}]')
})
