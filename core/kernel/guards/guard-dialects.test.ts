import { describe, expect, it, vi } from 'vitest'
import type { ClientDialect } from '../../contract/client-dialect.ts'
import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../contract/neutral.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { guardDialect } from './guard-dialects.ts'
import { Measures } from './measures.ts'

const boom = () => {
  throw new Error('broken')
}
const circle: Record<string, unknown> = {}
circle['circle'] = circle

const question: ChatRequest = {
  model: 'a-model',
  system: [],
  turns: [],
  tools: [],
  hostedTools: [],
  stream: false,
  includeUsage: false,
}
const writer: StreamWriter = { write: () => 'w', end: () => 'e', error: () => 'x' }
const plain: ClientDialect = {
  id: 'talk',
  routes: [{ path: '/talk/say' }],
  parseRequest: () => question,
  writeAnswer: () => ({}),
  streamWriter: () => writer,
  writeError: () => ({}),
  streamError: () => '',
}

function guarded(more: Record<string, unknown>) {
  const blamed = vi.fn()
  const meter = new Measures().meter('sample', 'dialect', 'talk')
  const log = { ...quietLog, error: blamed }
  return { dialect: guardDialect({ ...plain, ...more }, meter, log), meter, blamed }
}

const meta = {} as AnswerMeta
const error = { message: 'No.', code: 'no' } as ClientError
const text: ChatEvent = { type: 'text', delta: 'Hi' }

describe('a client dialect', () => {
  it.each<[string, unknown]>([
    ['throws', boom],
    ['gives nothing', () => undefined],
    ['gives a promise', () => Promise.resolve({})],
    ['gives a text', () => 'text'],
    ['gives a circle', () => circle],
  ])('whose answer %s fails, and is blamed', (_what, writeAnswer) => {
    const { dialect, meter, blamed } = guarded({ writeAnswer })
    expect(() => dialect.writeAnswer([text], meta)).toThrow(/./)
    expect(blamed).toHaveBeenCalledOnce()
    expect(meter.figures().errors).toBe(1)
  })

  it.each<[string, unknown]>([
    ['throws', boom],
    ['gives nothing', () => undefined],
    ['gives a circle', () => circle],
  ])('whose refusal %s refuses in plain words', (_what, writeError) => {
    const { dialect, blamed } = guarded({ writeError, streamError: writeError })
    expect(dialect.writeError(error)).toEqual({ error: { message: 'No.', code: 'no' } })
    expect(dialect.streamError(error)).toBe('')
    expect(blamed).toHaveBeenCalledTimes(2)
  })

  it.each<[string, unknown]>([
    ['throws', boom],
    ['gives nothing', () => undefined],
    ['gives no functions', () => ({ write: boom })],
  ])('whose writer of streams %s fails, and is blamed', (_what, streamWriter) => {
    const { dialect, meter } = guarded({ streamWriter })
    expect(() => dialect.streamWriter(meta)).toThrow(/./)
    expect(meter.figures().errors).toBe(1)
  })

  it.each<[string, unknown]>([
    ['throws', boom],
    ['gives nothing', () => undefined],
    ['gives a promise', () => Promise.resolve('')],
  ])('whose stream %s ends it, and tells its client what it can', (_what, work) => {
    const { dialect, meter } = guarded({
      streamWriter: () => ({ write: work, end: work, error: work }),
    })
    const broken = dialect.streamWriter(meta)
    expect(() => broken.write(text)).toThrow(/./)
    expect(() => broken.end()).toThrow(/./)
    expect(broken.error(error)).toBe('')
    expect(meter.figures().errors).toBe(2)
  })

  it('changes nothing of what is charged and kept', () => {
    const empty = (event: object) => {
      for (const key of Object.keys(event)) Reflect.deleteProperty(event, key)
    }
    const { dialect } = guarded({
      streamWriter: () => ({
        ...writer,
        write(event: ChatEvent) {
          if (event.type === 'usage') empty(event.usage)
          empty(event)
          return ''
        },
      }),
    })
    const event = { type: 'usage', usage: { input: 10, output: 5 } } as ChatEvent
    dialect.streamWriter(meta).write(event)
    expect(event).toEqual({ type: 'usage', usage: { input: 10, output: 5 } })
  })

  it.each<[string, object]>([
    ['a turn that is none', { turns: [null] }],
    ['a turn of nobody', { turns: [{ role: 'nobody', parts: [] }] }],
    ['a turn without parts', { turns: [{ role: 'user' }] }],
    ['a tool without a name', { tools: [{}] }],
  ])('that reads %s is blamed', (_what, more) => {
    const { dialect, blamed, meter } = guarded({ parseRequest: () => ({ ...question, ...more }) })
    const call = { path: '/talk/say', params: {}, query: {} }
    expect(() => dialect.parseRequest({}, call)).toThrow('This API of the gateway failed')
    expect(blamed).toHaveBeenCalledOnce()
    expect(meter.figures().errors).toBe(1)
  })
})
