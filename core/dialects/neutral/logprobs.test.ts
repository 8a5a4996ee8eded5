import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const meta = answerMeta({ includeUsage: false })
const one = (token: string, logprob: number) => ({ token, logprob, bytes: [...Buffer.from(token)] })
const tokens = [
  { ...one('Hé', -0.25), top_logprobs: [one('Hé', -0.25), one('Ho', -1.5)] },
  { ...one('llo', -0.5), top_logprobs: [one('llo', -0.5), one('y', -2)] },
]
const pieces: ChatEvent[] = tokens.map((token) => ({
  type: 'text',
  delta: token.token,
  logprobs: [token],
}))
const events: ChatEvent[] = [{ type: 'start' }, ...pieces, { type: 'finish', reason: 'stop' }]

const carriers = ['openai-chat', 'openai-responses', 'gemini'] as const

/** What is told in all, whatever the pieces. */
function contentOf(given: readonly ChatEvent[]) {
  const texts = given.filter((event) => event.type === 'text')
  return {
    text: texts.map(({ delta }) => delta).join(''),
    logprobs: texts.flatMap(({ logprobs }) => logprobs ?? []),
  }
}

const wanted = { text: 'Héllo', logprobs: tokens }

function streamOf(dialect: ChatDialect): string {
  const writer = codecs[dialect].streamWriter(meta)
  return events.map((event) => writer.write(event)).join('') + writer.end()
}

describe.each(carriers)('log probabilities in the dialect %s', (dialect) => {
  it('come back as they were written, whole and streamed', () => {
    const codec = codecs[dialect]
    expect(contentOf(codec.parseAnswer(codec.writeAnswer(events, meta)))).toEqual(wanted)
    const parser = codec.streamParser()
    const read = new SseSplitter()
      .push(Buffer.from(streamOf(dialect)))
      .flatMap((event) => parser.push(event))
    expect(contentOf([...read, ...parser.end()])).toEqual(wanted)
  })

  const asked: Record<(typeof carriers)[number], JsonObject> = {
    'openai-chat': {
      messages: [{ role: 'user', content: 'Hi' }],
      logprobs: true,
      top_logprobs: 2,
    },
    'openai-responses': {
      input: 'Hi',
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
    },
    gemini: {
      contents: [{ parts: [{ text: 'Hi' }] }],
      generationConfig: { responseLogprobs: true, logprobs: 2 },
    },
  }

  it('are asked for of the others, and told as left out where nobody has them', () => {
    const request = codecs[dialect].parseRequest({ model: 'm', ...asked[dialect] }, { model: 'm' })
    const build = (to: ChatDialect, model: string) => {
      const dropped: string[] = []
      const option = () => undefined as never
      return {
        body: codecs[to].buildRequest(request, { upstreamModel: model, dropped, option }),
        dropped,
      }
    }
    expect(build('openai-chat', 'gpt-4o').body).toMatchObject({ logprobs: true, top_logprobs: 2 })
    expect(build('openai-responses', 'gpt-4o').body).toMatchObject({
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
    })
    const { generationConfig } = asked.gemini
    expect(build('gemini', 'gemini-2.5-pro').body).toMatchObject({ generationConfig })
    expect(build('anthropic-messages', 'claude-opus-4-5').dropped).toContain('logprobs')
    const reasoning = build('openai-responses', 'gpt-5')
    expect(reasoning.dropped).toContain('logprobs')
    expect(reasoning.body.include).toEqual(['reasoning.encrypted_content'])
  })
})

describe('the shapes that clients read', () => {
  it('are those of their dialect', () => {
    expect(codecs['openai-chat'].writeAnswer(events, meta)).toMatchObject({
      choices: [{ logprobs: { content: tokens, refusal: null } }],
    })
    expect(codecs['openai-responses'].writeAnswer(events, meta)).toMatchObject({
      output: [{ content: [{ type: 'output_text', text: 'Héllo', logprobs: tokens }] }],
    })
    const [candidate] = codecs.gemini.writeAnswer(events, meta).candidates as JsonObject[]
    expect(candidate?.logprobsResult).toEqual({
      chosenCandidates: [
        { token: 'Hé', logProbability: -0.25 },
        { token: 'llo', logProbability: -0.5 },
      ],
      topCandidates: tokens.map((token) => ({
        candidates: token.top_logprobs.map((entry) => ({
          token: entry.token,
          logProbability: entry.logprob,
        })),
      })),
    })
    expect(streamOf('openai-chat')).toContain(
      `"delta":{"content":"llo"},"logprobs":{"content":[${JSON.stringify(tokens[1])}],"refusal":null}`,
    )
  })

  it('say nothing where nothing was asked', () => {
    const plain: ChatEvent[] = [{ type: 'start' }, { type: 'text', delta: 'x' }]
    expect(codecs['openai-chat'].writeAnswer(plain, meta)).toMatchObject({
      choices: [{ logprobs: null }],
    })
    const [candidate] = codecs.gemini.writeAnswer(plain, meta).candidates as JsonObject[]
    expect(candidate).not.toHaveProperty('logprobsResult')
  })
})
