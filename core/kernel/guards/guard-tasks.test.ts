import { describe, expect, it, vi } from 'vitest'
import { AppError, UpstreamError } from '../../contract/errors.ts'
import {
  taskRefusal,
  type TaskPlatform,
  type TaskReport,
  type TaskRoute,
} from '../../contract/task.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { guardTasks } from './guard-tasks.ts'
import { Measures } from './measures.ts'

const request = { method: 'GET', url: 'https://film.example', headers: {} }
const sound: TaskPlatform = {
  id: 'film',
  routes: [],
  writeError: ({ status, message }) => ({ status, body: { message } }),
  defaultPrice: () => 1,
  send: () => request,
  readAnswer: () => ({ isAccepted: true, taskId: 'a', body: {} }),
  poll: { idsPerCall: 1, lifetimeMs: 1, request: () => request, read: () => [] },
  show: ({ task_id: id }) => ({ id }),
}

function guarded(wrong: Partial<Record<keyof TaskPlatform, unknown>>) {
  const meter = new Measures().meter('studio', 'task platform', 'film')
  const said: string[] = []
  const log = { ...quietLog, error: (_fields: object, words = '') => void said.push(words) }
  return { film: guardTasks({ ...sound, ...wrong } as TaskPlatform, 'studio', meter, log), said }
}

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}
const never = new Promise<never>(() => undefined)
const boom = () => {
  throw new Error('out of order')
}
const poll = (read: unknown) => guarded({ poll: { ...sound.poll, read } })

describe('a task platform', () => {
  it.each<[keyof TaskPlatform, unknown, RegExp]>([
    ['defaultPrice', boom, /out of order/],
    ['defaultPrice', () => Number.NaN, /no price/],
    ['defaultPrice', () => -1, /no price/],
    ['defaultPrice', () => '0.5', /no price/],
    ['send', () => null, /no request/],
    ['readAnswer', boom, /out of order/],
    ['readAnswer', () => 5, /no answer/],
    ['readAnswer', () => ({ isAccepted: true, taskId: 5, body: {} }), /"taskId"/],
    ['readAnswer', () => ({ isAccepted: true, taskId: 'a' }), /JSON/],
    ['readAnswer', () => ({ isAccepted: false, body: {}, code: 1 }), /"reason"/],
    ['readAnswer', () => ({ isAccepted: false, body: {}, reason: 'no' }), /"code"/],
    ['readAnswer', () => Promise.reject(new Error('late')), /promise/],
  ])('that gives nonsense fails the call and is named: %s', (part, work, says) => {
    const { film, said } = guarded({ [part]: work })
    const call = film[part] as (...args: unknown[]) => unknown
    expect(thrown(() => call({}, {}))).toMatchObject({ code: 'relay.adapter_failed' })
    expect(said).toEqual([
      expect.stringMatching(`^the task platform "film" failed in ${part}\\(\\)`),
    ])
    expect(said[0]).toMatch(says)
  })

  it.each<[string, TaskRoute]>([
    ['read', { kind: 'submit', paths: ['/film'], read: () => never }],
    ['answer', { kind: 'read', method: 'GET', paths: ['/film'], answer: () => never }],
    [
      'task',
      {
        kind: 'forward',
        method: 'GET',
        paths: ['/film'],
        timeoutMs: 1,
        task: () => never,
        send: () => request,
      },
    ],
  ])('is waited for half a minute in %s()', async (part, route) => {
    vi.useFakeTimers()
    const { film, said } = guarded({ routes: [route] })
    const [held] = film.routes as unknown as Record<string, () => Promise<unknown>>[]
    const refused = expect(held?.[part]?.()).rejects.toMatchObject({ code: 'relay.adapter_failed' })
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
    expect(said).toEqual([expect.stringContaining(`${part}() took longer than 30000 ms`)])
    vi.useRealTimers()
  })

  it('may refuse, and pass on what its upstream said', () => {
    const refusal = taskRefusal('no', 400)
    const { film, said } = guarded({
      send: () => {
        throw refusal
      },
    })
    expect(thrown(() => film.send({} as never, {} as never))).toBe(refusal)
    const failure = { status: 400, message: 'no', code: null, isKnownShape: true }
    const error = new UpstreamError(failure)
    const other = guarded({
      readAnswer: () => {
        throw error
      },
    })
    expect(thrown(() => other.film.readAnswer({}, {} as never))).toBe(error)
    expect([...said, ...other.said]).toEqual([])
  })

  it('that cannot word an error or show a task does not hide either', () => {
    const { film, said } = guarded({ writeError: boom, show: () => undefined })
    const error = { status: 404, code: 'lost', message: 'Not here.' } as never
    expect(film.writeError(error)).toEqual({
      status: 404,
      body: { error: { code: 'lost', message: 'Not here.' } },
    })
    const task = { task_id: 'a', status: 'DONE', progress: '100%' } as never
    expect(film.show(task, {} as never)).toEqual({ id: 'a', status: 'DONE', progress: '100%' })
    expect(said).toHaveLength(2)
  })
})

describe('reports of a task platform', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle

  it.each<[unknown, TaskReport | undefined]>([
    [null, undefined],
    [{ state: 'failed' }, undefined],
    [
      { taskId: 'a', state: 'failed', failReason: 5 },
      { taskId: 'a', state: 'failed' },
    ],
    [
      { taskId: 'a', state: 'done', status: {} },
      { taskId: 'a', state: 'open' },
    ],
    [
      { taskId: 'a', state: 'succeeded', data: circle },
      { taskId: 'a', state: 'succeeded' },
    ],
    [
      { taskId: 'a', state: 'open', startMs: 'now' },
      { taskId: 'a', state: 'open' },
    ],
  ])('lose what is none, and keep the state: %#', (report, kept) => {
    const { film, said } = poll(() => [report])
    expect(film.poll.read({})).toEqual(kept ? [kept] : [])
    expect(said[0]).toMatch(/failed in poll\.read\(\)/)
  })

  it('that are no list are named', () => {
    const { film, said } = poll(() => null)
    expect(thrown(() => film.poll.read({}))).toBeInstanceOf(AppError)
    expect(said).toEqual([
      'the task platform "film" failed in poll.read(): it gave no list of reports',
    ])
  })
})
