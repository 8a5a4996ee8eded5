// Speech asked for in one dialect and given in another.
import { describe, expect, it } from 'vitest'
import type { AnswerMeta, ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const samples = Buffer.from('samples!').toString('base64')

function ask(from: ChatDialect, to: ChatDialect, body: JsonObject, model: string) {
  const dropped: string[] = []
  const stream = body['stream'] === true
  const request = codecs[from].parseRequest(body, { model: 'm', stream })
  const target = { upstreamModel: model, dropped, option: () => undefined as never }
  return { request, body: codecs[to].buildRequest(request, target), dropped }
}

function meta(request: ChatRequest): AnswerMeta {
  return answerMeta({ includeUsage: false, request })
}

const asGemini = (generationConfig: JsonObject) => ({
  contents: [{ parts: [{ text: 'Say it.' }] }],
  generationConfig: { responseModalities: ['AUDIO'], ...generationConfig },
})
const voice = (voiceName: string) => ({
  speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
})
const asOpenai = (audio: JsonObject, more: JsonObject = {}) => ({
  messages: [{ role: 'user', content: 'Say it.' }],
  modalities: ['text', 'audio'],
  audio,
  ...more,
})

describe('speech for a client of Gemini from an upstream of OpenAI', () => {
  it.each([
    ['no voice', {}, 'alloy', []],
    ['a voice of Google’s', voice('Kore'), 'alloy', ['speechConfig.voiceConfig']],
    ['a voice of OpenAI’s', voice('coral'), 'coral', []],
  ])('is asked for whole, with %s', (_what, config, expected, lost) => {
    const { body, dropped } = ask('gemini', 'openai-chat', asGemini(config), 'gpt-audio')
    expect(body).toMatchObject({
      modalities: ['text', 'audio'],
      audio: { voice: expected, format: 'pcm16' },
    })
    expect(dropped).toEqual(lost)
  })

  it('keeps the voice for a model of somebody else', () => {
    const { body } = ask('gemini', 'openai-chat', asGemini(voice('Cherry')), 'qwen-omni')
    expect(body).toMatchObject({ audio: { voice: 'Cherry' } })
  })

  it('comes as samples with its words, whole and streamed', () => {
    const { request } = ask('gemini', 'openai-chat', asGemini({}), 'gpt-audio')
    const events: ChatEvent[] = [
      { type: 'start' },
      { type: 'audio', delta: { id: 'a', data: samples } },
      { type: 'audio', delta: { transcript: 'It.' } },
      { type: 'finish', reason: 'stop' },
    ]
    const part = { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples } }
    const words = { audioTranscription: { text: 'It.' } }
    expect(codecs.gemini.writeAnswer(events, meta(request))).toMatchObject({
      candidates: [{ content: { parts: [{ ...part, ...words }] } }],
    })
    const writer = codecs.gemini.streamWriter(meta(request))
    const wire = events.map((event) => writer.write(event)).join('') + writer.end()
    expect(wire).toContain(JSON.stringify(part))
    expect(wire).toContain(JSON.stringify(words))
  })
})

describe('speech for a client of OpenAI from Gemini', () => {
  const model = 'gemini-2.5-flash-preview-tts'

  it('has its words, where Gemini tells them', () => {
    const { request } = ask('openai-chat', 'gemini', asOpenai({ format: 'pcm16' }), model)
    const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples }
    const parts = [
      { inlineData, audioTranscription: { text: 'It ' } },
      { audioTranscription: { text: 'is.' } },
      { text: 'Heard.', audioTranscription: { text: 'Heard.' } },
    ]
    const candidates = [{ content: { parts }, finishReason: 'STOP' }]
    const events = codecs.gemini.parseAnswer({ candidates })
    expect(codecs['openai-chat'].writeAnswer(events, meta(request))).toMatchObject({
      choices: [{ message: { content: 'Heard.', audio: { data: samples, transcript: 'It is.' } } }],
    })
  })

  it('has the voice that the model has where OpenAI’s is named', () => {
    const audio = { voice: 'alloy', format: 'wav' }
    const { body, dropped } = ask('openai-chat', 'gemini', asOpenai(audio), model)
    expect(body['generationConfig']).toEqual({ responseModalities: ['AUDIO'] })
    expect(dropped).toEqual(['audio.voice'])
  })

  it.each([
    ['mp3', false],
    ['wav', true],
  ])('is refused as %s (streamed: %s), which nobody here encodes', (format, stream) => {
    const body = asOpenai({ voice: 'Kore', format }, { stream })
    expect(() => ask('openai-chat', 'gemini', body, model)).toThrow(/audio\.format/)
  })

  it('is a file where one was asked for', () => {
    const body = asOpenai({ voice: 'Kore', format: 'wav' })
    const { request } = ask('openai-chat', 'gemini', body, model)
    const events = codecs.gemini.parseAnswer({
      candidates: [
        {
          content: { parts: [{ inlineData: { mimeType: 'audio/L16;rate=24000', data: samples } }] },
          finishReason: 'STOP',
        },
      ],
    })
    const { choices } = codecs['openai-chat'].writeAnswer(events, meta(request))
    const [choice] = choices as JsonObject[]
    const message = isObject(choice?.['message']) ? choice['message'] : {}
    const audio = isObject(message['audio']) ? message['audio'] : {}
    expect(audio).toMatchObject({ id: 'audio_r1', transcript: '' })
    const file = Buffer.from(String(audio['data']), 'base64')
    expect(file.toString('latin1', 0, 16)).toMatch(/^RIFF.{4}WAVEfmt $/s)
    expect(file.toString('latin1', 44)).toBe('samples!')
    expect(file.readUInt32LE(40)).toBe(8)
  })
})
