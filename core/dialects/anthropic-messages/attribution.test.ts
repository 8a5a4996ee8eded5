// Claude Code begins its instructions with a block for Anthropic's accounts that changes from conversation to conversation,
// in some versions with every call (github.com/anthropics/claude-code, issue 68900). Caches of prompts compare beginnings.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import { codecs } from '../index.ts'

const line = 'x-anthropic-billing-header: cc_version=2.1.197.fac; cc_entrypoint=cli; cch=36ee5;'
const text = (words: string) => ({ type: 'text', text: words })

function built(dialect: ChatDialect, system: unknown): unknown {
  const body = { model: 'm', max_tokens: 9, system, messages: [{ role: 'user', content: line }] }
  const request = codecs['anthropic-messages'].parseRequest(body, {})
  const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
  return codecs[dialect].buildRequest(request, target)
}

it.each([
  ['a block of its own', [text(line), text('Be brief.')]],
  ['the first line of a block', [text(`${line}\nBe brief.`)]],
  ['the first line of a text', `${line}\n\nBe brief.`],
])('leaves it out of converted prompts: %s', (_where, system) => {
  expect(built('openai-chat', system)).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: line },
    ],
  })
  expect(built('openai-responses', system)).toMatchObject({ instructions: 'Be brief.' })
  expect(built('gemini', system)).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
  })
})

it('leaves no instructions where there were no others', () => {
  expect(built('openai-chat', [text(line)])).toMatchObject({ messages: [{ role: 'user' }] })
})
