import { type ClientDialect } from 'tollgate'

/** The smallest client API: a word goes in, a text comes out. */
export function dialect(see: (point: string) => void): ClientDialect {
  return {
    id: 'every-point-api',
    routes: [{ path: '/every-point-api/word' }],
    parseRequest({ word }) {
      see(`dialects ${String(word)}`)
      return {
        model: 'sample-model',
        system: [],
        turns: [{ role: 'user', parts: [{ kind: 'text', text: String(word) }] }],
        tools: [],
        hostedTools: [],
        stream: false,
        includeUsage: false,
      }
    },
    writeAnswer: (events) => ({
      text: events.map((event) => (event.type === 'text' ? event.delta : '')).join(''),
    }),
    streamWriter: () => ({ write: () => '', end: () => '', error: ({ message }) => message }),
    writeError: ({ message }) => ({ message }),
    streamError: ({ message }) => message,
  }
}
