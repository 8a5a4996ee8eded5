import type { ChatEvent, ClientDialect, JsonObject } from 'tollgate/contract'
import { readQuestion } from './read-question.ts'

export const dialect: ClientDialect = {
  // Its routes begin with it.
  id: 'acme',
  routes: [{ path: '/acme/talk' }],
  // Beside `Authorization: Bearer`.
  keyHeader: 'x-acme-key',
  parseRequest: (body) => readQuestion(body),
  writeAnswer: (events) => ({ words: wordsOf(events), ...endOf(events) }),
  // One for each stream, so that it may keep what its end shall say.
  streamWriter: () => {
    const seen: ChatEvent[] = []
    return {
      write(event) {
        if (event.type === 'usage' || event.type === 'finish') seen.push(event)
        return event.type === 'text' ? written({ words: event.delta }) : ''
      },
      end: () => written(endOf(seen)),
      error: ({ message }) => written({ problem: message }),
    }
  },
  writeError: ({ message, code }) => ({ problem: message, code }),
  streamError: ({ message }) => written({ problem: message }),
}

function wordsOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
}

function endOf(events: readonly ChatEvent[]): JsonObject {
  // Usage may come several times; the last counts.
  const told = events.findLast((event) => event.type === 'usage')
  const finish = events.findLast((event) => event.type === 'finish')
  return {
    end: finish?.reason === 'length' ? 'limit' : 'done',
    tokens: { in: told?.usage.input ?? 0, out: told?.usage.output ?? 0 },
  }
}

function written(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
