import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'
import { requestWithInstructions, withInstructions } from './instructions.ts'

const text = 'Be brief.'
const block = { type: 'text', text }
const user = { role: 'user', content: 'Hi' }
const own = { role: 'system', content: 'Rhyme.' }

interface Case {
  what: string
  dialect: keyof typeof codecs
  body: JsonObject
  /** With instructions for clients that have none. */
  alone: JsonObject
  /** With instructions for all. */
  always: JsonObject
}

const cases: Case[] = [
  {
    what: 'messages without any',
    dialect: 'openai-chat',
    body: { messages: [user] },
    alone: { messages: [{ role: 'system', content: text }, user] },
    always: { messages: [{ role: 'system', content: text }, user] },
  },
  {
    what: 'a system message',
    dialect: 'openai-chat',
    body: { messages: [own, user] },
    alone: { messages: [own, user] },
    always: { messages: [{ role: 'system', content: 'Be brief.\n\nRhyme.' }, user] },
  },
  {
    what: 'a developer message in parts',
    dialect: 'openai-chat',
    body: { messages: [{ role: 'developer', content: [{ type: 'text', text: 'Rhyme.' }] }, user] },
    alone: { messages: [{ role: 'developer', content: [{ type: 'text', text: 'Rhyme.' }] }, user] },
    always: {
      messages: [{ role: 'developer', content: [block, { type: 'text', text: 'Rhyme.' }] }, user],
    },
  },
  {
    what: 'a system message later on',
    dialect: 'openai-chat',
    body: { messages: [user, own] },
    alone: { messages: [user, own] },
    always: { messages: [{ role: 'system', content: text }, user, own] },
  },
  {
    what: 'an empty system message',
    dialect: 'openai-chat',
    body: { messages: [{ role: 'system', content: '' }, user] },
    alone: { messages: [{ role: 'system', content: text }, user] },
    always: { messages: [{ role: 'system', content: text }, user] },
  },
  {
    what: 'a body without system',
    dialect: 'anthropic-messages',
    body: { messages: [user] },
    alone: { messages: [user], system: text },
    always: { messages: [user], system: text },
  },
  {
    what: 'system blocks',
    dialect: 'anthropic-messages',
    body: { system: [{ type: 'text', text: 'Rhyme.', cache_control: { type: 'ephemeral' } }] },
    alone: { system: [{ type: 'text', text: 'Rhyme.', cache_control: { type: 'ephemeral' } }] },
    always: {
      system: [block, { type: 'text', text: 'Rhyme.', cache_control: { type: 'ephemeral' } }],
    },
  },
  {
    what: 'blank blocks',
    dialect: 'anthropic-messages',
    body: { system: [{ type: 'text', text: ' ' }] },
    alone: { system: text },
    always: { system: text },
  },
  {
    what: 'an empty system',
    dialect: 'anthropic-messages',
    body: { system: '' },
    alone: { system: text },
    always: { system: text },
  },
  {
    what: 'a body without instructions',
    dialect: 'openai-responses',
    body: { input: 'Hi' },
    alone: { input: 'Hi', instructions: text },
    always: { input: 'Hi', instructions: text },
  },
  {
    what: 'instructions',
    dialect: 'openai-responses',
    body: { input: 'Hi', instructions: 'Rhyme.' },
    alone: { input: 'Hi', instructions: 'Rhyme.' },
    always: { input: 'Hi', instructions: 'Be brief.\n\nRhyme.' },
  },
  {
    what: 'a developer item',
    dialect: 'openai-responses',
    body: { input: [{ role: 'developer', content: 'Rhyme.' }, user] },
    alone: { input: [{ role: 'developer', content: 'Rhyme.' }, user] },
    always: { input: [{ role: 'developer', content: 'Rhyme.' }, user], instructions: text },
  },
  {
    what: 'contents alone',
    dialect: 'gemini',
    body: { contents: [] },
    alone: { contents: [], systemInstruction: { parts: [{ text }] } },
    always: { contents: [], systemInstruction: { parts: [{ text }] } },
  },
  {
    what: 'an instruction without parts',
    dialect: 'gemini',
    body: { systemInstruction: { parts: [] } },
    alone: { systemInstruction: { parts: [{ text }] } },
    always: { systemInstruction: { parts: [{ text }] } },
  },
  {
    what: 'the other spelling',
    dialect: 'gemini',
    body: { system_instruction: { role: 'user', parts: { text: 'Rhyme.' } } },
    alone: { system_instruction: { role: 'user', parts: { text: 'Rhyme.' } } },
    always: { system_instruction: { role: 'user', parts: [{ text }, { text: 'Rhyme.' }] } },
  },
]

describe('instructions that an admin adds', () => {
  it.each(cases)('stand in $dialect with $what', ({ dialect, body, alone, always }) => {
    const sent = structuredClone(body)
    expect(withInstructions(body, dialect, { text, isAlways: false })).toEqual(alone)
    expect(withInstructions(body, dialect, { text, isAlways: true })).toEqual(always)
    expect(body).toEqual(sent)
  })

  it.each<[keyof typeof codecs, JsonObject]>([
    ['openai-chat', { messages: 'none' }],
    ['openai-responses', { instructions: 5 }],
    ['anthropic-messages', { system: 7 }],
    ['gemini', { systemInstruction: 'Rhyme.' }],
  ])('leave what %s does not have as the client sent it', (dialect, body) => {
    expect(withInstructions(body, dialect, { text, isAlways: true })).toEqual(body)
  })

  it('stand in front of a neutral request and leave the one that was read', () => {
    const read = codecs['openai-chat'].parseRequest({ model: 'm', messages: [own, user] }, {})
    expect(requestWithInstructions(read, { text, isAlways: false })).toBe(read)
    const { system } = requestWithInstructions(read, { text, isAlways: true })
    expect(system.map((part) => 'text' in part && part.text)).toEqual([text, 'Rhyme.'])
    expect(read.system).toHaveLength(1)
  })

  it('stand in a neutral request whose own are blank', () => {
    const blank = { role: 'system', content: ' ' }
    const read = codecs['openai-chat'].parseRequest({ model: 'm', messages: [blank, user] }, {})
    const { system } = requestWithInstructions(read, { text, isAlways: false })
    expect(system).toEqual([{ kind: 'text', text }])
  })
})
