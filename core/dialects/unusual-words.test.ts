// Words that are not in a table but are names of every object in JavaScript.
import { describe, expect, it } from 'vitest'
import { readStopReason } from './anthropic-messages/stop-reason.ts'
import { codecs } from './index.ts'
import { readFinishReason as readGeminiReason } from './gemini/finish-reason.ts'
import { readFinishReason } from './openai-chat/finish-reason.ts'

describe.each(['constructor', 'toString', '__proto__'])('the word %s', (word) => {
  it('is no reason for which an answer ended', () => {
    expect(readStopReason(word)).toBe('other')
    expect(readGeminiReason(word, false)).toBe('other')
    expect(readFinishReason(word)).toBe('stop')
  })

  it('is no tool choice', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
      tool_choice: word,
    }
    expect(() => codecs['openai-chat'].parseRequest(body, { model: 'm' })).toThrow('tool_choice')
  })
})
