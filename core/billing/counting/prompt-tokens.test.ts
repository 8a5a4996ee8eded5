import { describe, expect, it } from 'vitest'
import type { ChatRequest, Part } from '../../contract/neutral.ts'
import { imageSize } from './image-size.ts'
import { imageTokens } from './image-tokens.ts'
import { countChatPrompt, countInput, countRerank, countSpeech } from './prompt-tokens.ts'

const request = (parts: Part[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'gpt-4o',
  system: [],
  turns: [{ role: 'user', parts }],
  tools: [],
  hostedTools: [],
  stream: false,
  includeUsage: false,
  ...more,
})
const hello: Part = { kind: 'text', text: 'hello world' }

/** The first bytes of pictures of 300 × 200 pixels. */
function header(write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(64)
  write(bytes)
  return bytes
}
const png = header((bytes) => {
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(300, 16)
  bytes.writeUInt32BE(200, 20)
})
const gif = header((bytes) => {
  bytes.write('GIF89a')
  bytes.writeUInt16LE(300, 6)
  bytes.writeUInt16LE(200, 8)
})
const jpeg = header((bytes) => {
  bytes.writeUInt32BE(0xffd8ffe0, 0)
  bytes.writeUInt16BE(16, 4)
  bytes.writeUInt16BE(0xffc2, 20)
  bytes.writeUInt16BE(17, 22)
  bytes.writeUInt16BE(200, 25)
  bytes.writeUInt16BE(300, 27)
})
const webp = header((bytes) => {
  bytes.write('RIFF    WEBPVP8X')
  bytes.writeUIntLE(299, 24, 3)
  bytes.writeUIntLE(199, 27, 3)
})

describe('the tokens of a chat prompt', () => {
  it.each([
    ['a message', request([hello]), 3 + 3 + 1 + 2],
    ['a system prompt', request([hello], { system: [hello] }), 3 + 2 * (3 + 1 + 2)],
    [
      'a named participant',
      request([], { turns: [{ role: 'user', name: 'hello', parts: [hello] }] }),
      3 + 3 + 1 + 2 + 1 + 1,
    ],
    [
      'every tool',
      request([hello], { tools: [{ name: 'hello' }, { name: 'hello', description: 'world' }] }),
      9 + 8 + 1 + 8 + 2,
    ],
    [
      'tool calls and their results',
      request([
        { kind: 'tool_call', id: '1', name: 'hello', arguments: '{}' },
        { kind: 'tool_result', callId: '1', content: [hello] },
      ]),
      7 + 2 + 2,
    ],
    [
      'a picture elsewhere, unseen',
      request([{ kind: 'image', source: { type: 'url', url: 'https://example.com/a' } }]),
      7 + 255,
    ],
    [
      'a picture inside, by its size',
      request([
        {
          kind: 'image',
          source: { type: 'base64', mediaType: 'image/png', data: png.toString('base64') },
        },
      ]),
      7 + 85 + 170,
    ],
  ])('counts %s', (_, chat, tokens) => {
    expect(countChatPrompt(chat, 'gpt-4o')).toBe(tokens)
  })

  it('has lighter messages and fixed pictures for Claude', () => {
    const image: Part = { kind: 'image', source: { type: 'url', url: 'https://example.com/a' } }
    expect(countChatPrompt(request([hello, image]), 'claude-sonnet-5')).toBe(2 + 1 + 2 + 1000)
  })

  it('does not look into pictures where that is switched off', () => {
    const image: Part = {
      kind: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: png.toString('base64') },
    }
    expect(countChatPrompt(request([image]), 'gpt-4o', { readsImages: false })).toBe(7 + 255)
  })
})

describe('the tokens of other inputs', () => {
  it.each([
    ['a text', 'hello world', 2],
    ['texts', ['hello', 'world'], 2],
    ['token ids', [1, 2, 3], 3],
    ['lists of token ids', [[1, 2], [3]], 3],
    ['texts in objects', [{ type: 'text', text: 'hello' }], 1],
    ['nothing', null, 0],
  ])('counts %s', (_, input, tokens) => {
    expect(countInput(input, 'gpt-4o')).toBe(tokens)
  })

  it('counts the query and every document of a rerank', () => {
    expect(countRerank('hello', ['world', { text: 'hello' }], 'm')).toBe(3)
  })

  it('counts characters for tts models and tokens for others', () => {
    expect(countSpeech('hello 😀', 'tts-1')).toBe(7)
    expect(countSpeech('hello world', 'gpt-4o-mini-tts')).toBe(2)
  })
})

describe('the size of a picture', () => {
  it.each([
    ['PNG', png],
    ['GIF', gif],
    ['JPEG', jpeg],
    ['WebP', webp],
  ])('is found in %s', (_, bytes) => {
    expect(imageSize(bytes)).toEqual({ width: 300, height: 200 })
  })

  it.each([
    ['too short', Buffer.from('GIF8')],
    ['no picture', Buffer.alloc(100, 1)],
    [
      'a JPEG cut before its frame',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(60)]),
    ],
    ['empty', header((bytes) => bytes.write('GIF89a'))],
  ])('is unknown for what is %s', (_, bytes) => {
    expect(imageSize(bytes)).toBeUndefined()
  })
})

describe('the tokens of a picture', () => {
  // By hand: 1024 × 1024 shrinks to 768 × 768, four tiles; 1800 × 2400 shrinks to 33 × 44 patches.
  it.each([
    ['gpt-4o', { width: 1024, height: 1024 }, undefined, 765],
    ['gpt-4o', { width: 2048, height: 4096 }, undefined, 1105],
    ['gpt-4o', { width: 4096, height: 8192 }, 'low', 85],
    ['gpt-4.1-mini', { width: 1024, height: 1024 }, undefined, Math.ceil(1024 * 1.62)],
    ['o4-mini', { width: 1800, height: 2400 }, undefined, Math.ceil(1452 * 1.72)],
    ['gpt-5-mini', { width: 1024, height: 1024 }, undefined, Math.ceil(1024 * 1.62)],
    ['glm-4v', { width: 9, height: 9 }, undefined, 1047],
    ['llama', { width: 9, height: 9 }, undefined, 520],
  ])('%s %o %s', (model, size, detail, tokens) => {
    expect(imageTokens(model, size, detail)).toBe(tokens)
  })
})
