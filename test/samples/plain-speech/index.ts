// A client API of a plugin from outside: core/relay/routes/client-dialect-routes.test.ts calls it. A question is `{ to, say, aloud }`, an answer `{ said }`;
// aloud it comes line by line.
import { definePlugin, errorType, type ChatEvent, type ClientDialect, type Part } from 'tollgate'

const unclear = errorType('plain_speech.unclear', 400, { en: 'Say something.', zh: '请说点什么。' })

const textOf = (events: readonly ChatEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
const line = (value: object) => `${JSON.stringify(value)}\n`

export const plainSpeech: ClientDialect = {
  id: 'plain-speech',
  routes: [{ path: '/plain-speech/say' }, { path: '/plain-speech/to/:model' }],
  keyHeader: 'x-plain-key',
  streamType: 'application/x-ndjson',
  ping: '\n',
  parseRequest({ to, say, aloud, limit }, { params }) {
    if (say === 'break the dialect') throw new Error('broken')
    if (typeof say !== 'string') throw unclear()
    const text: Part = { kind: 'text', text: say }
    return {
      model: params['model'] ?? (typeof to === 'string' ? to : ''),
      system: [],
      turns: say === '' ? [] : [{ role: 'user', parts: [text] }],
      tools: [],
      hostedTools: [],
      stream: aloud === true,
      includeUsage: false,
      ...(typeof limit === 'number' ? { maxTokens: limit } : {}),
    }
  },
  writeAnswer: (events) => {
    const usage = events.findLast((event) => event.type === 'usage')
    return { said: textOf(events), tokens: usage?.type === 'usage' ? usage.usage.output : 0 }
  },
  streamWriter: () => ({
    write: (event) => (event.type === 'text' ? line({ said: event.delta }) : ''),
    end: () => line({ over: true }),
    error: (error) => line({ wrong: error.message }),
  }),
  writeError: ({ code, message }) => ({ wrong: message, code }),
  streamError: ({ message }) => line({ wrong: message }),
}

export default definePlugin({
  id: 'plain-speech',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Plain speech as an API', zh: '简单对话接口' },
  server: ({ dialects }) => dialects.add(plainSpeech),
})
