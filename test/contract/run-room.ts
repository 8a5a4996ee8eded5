// Turns a room's table into tests: who may call, both slash forms, shapes of answers, refusals.
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Answer, ApiClient } from '../harness/api-client.ts'
import type { Stage } from './stage.ts'
import {
  type Access,
  addressOf,
  type Call,
  type CallerName,
  callerNames,
  type Refusal,
  resolve,
  type Room,
  type Success,
} from './table.ts'

export function runRoom(room: Room, stageOf: () => Stage): void {
  describe(room.subject, () => {
    beforeAll(() => room.prepare?.(stageOf()))
    for (const call of room.calls) {
      describe(`${call.method} ${call.path}`, () => runCall(call, stageOf))
    }
    for (const story of room.stories ?? []) {
      it(story.it, () => story.run(stageOf()))
    }
  })
}

function runCall(call: Call, stageOf: () => Stage): void {
  it.each(callerNames)('is for its callers only: %s', (name) => checkAccess(call, name, stageOf()))
  it('answers alike with and without a slash at its end', () => checkSlash(call, stageOf()))
  for (const success of call.answers ?? []) {
    it(success.it, () => checkSuccess(call, success, stageOf()))
  }
  for (const refusal of call.refuses ?? []) {
    it(`refuses ${refusal.it}`, () => checkRefusal(call, refusal, stageOf()))
  }
}

const mayCall: Readonly<Record<Access, readonly CallerName[]>> = {
  public: callerNames,
  session: ['user', 'admin', 'root'],
  player: ['user', 'admin', 'root'],
  user: ['user', 'admin', 'root'],
  admin: ['admin', 'root'],
  key: [],
}

/** Part 1, 1.3: 401 for who is nobody, 200 and a text for who is not enough. */
async function checkAccess(call: Call, name: CallerName, stage: Stage): Promise<void> {
  const client = call.endsCaller ? await stage.another(name) : stage.callers[name]
  const answer = await send(call, await resolve(call.probe, stage), client)
  if (mayCall[call.access].includes(name)) {
    expect([401, 403, 404, 405, 500]).not.toContain(answer.status)
    expect(answer.code).not.toBe('access.role_too_low')
    return
  }
  if (call.access === 'key' || call.access === 'player') {
    expect(answer.status).toBe(401)
    // Each client in its own form: an error, or the flat one of the task platforms.
    const { error, code } = answer.body
    expect(error ?? code).toBeTruthy()
    return
  }
  const refused =
    name === 'anonymous'
      ? { status: 401, success: false, code: 'auth.required' }
      : { status: 200, success: false, code: 'access.role_too_low' }
  expect(answer).toMatchObject(refused)
  expect(answer.message).not.toBe('')
  // The wallet repeats its text there.
  expect([undefined, answer.message]).toContain(answer.body['data'])
}

/** Part 1, 0.1: both are served, none leads to the other. */
async function checkSlash(call: Call, stage: Stage): Promise<void> {
  const client = call.endsCaller
    ? stage.callers[call.access === 'public' ? 'anonymous' : 'root']
    : stage.callers[fittest[call.access]]
  const sent = await resolve(call.probe, stage)
  const first = await sendInTurn(call, sent, client)
  const path = call.path.endsWith('/') ? call.path.slice(0, -1) : `${call.path}/`
  const second = await sendInTurn({ ...call, path }, sent, client)
  const seen = ({ status, success, code, body }: Answer) => ({
    status,
    success,
    code,
    keys: Object.keys(body).sort(),
  })
  expect(seen(second)).toEqual(seen(first))
  expect([301, 307, 308, 404]).not.toContain(second.status)
}

/** The test of all channels that an earlier call began may still be running. */
function sendInTurn(...sent: Parameters<typeof send>): Promise<Answer> {
  return vi.waitFor(async () => {
    const answer = await send(...sent)
    expect(answer.code).not.toBe('channel.test_running')
    return answer
  }, 20_000)
}

const fittest: Readonly<Record<Access, CallerName>> = {
  public: 'anonymous',
  session: 'user',
  player: 'user',
  user: 'user',
  admin: 'admin',
  key: 'anonymous',
}

async function checkSuccess(call: Call, success: Success, stage: Stage): Promise<void> {
  const sent = await resolve(success.send, stage)
  const answer = await send(call, sent, stage.callers[sent.by ?? fittest[call.access]])
  expect(answer, answer.message).toMatchObject({ status: 200, success: true })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-oneapi-request-id')).toMatch(/\S/)
  if (success.message) expect(answer.body['message']).toMatch(success.message)
  else expect(answer.body['message']).toBe('')
  const beside = success.beside ?? {}
  const body = Type.Object({ ...beside, ...(success.data ? { data: success.data } : {}) })
  expectShape(answer.body, body)
  if (!success.data) expect(answer.body).not.toHaveProperty('data')
}

async function checkRefusal(call: Call, refusal: Refusal, stage: Stage): Promise<void> {
  const sent = await resolve(refusal.send, stage)
  const answer = await send(call, sent, stage.callers[sent.by ?? fittest[call.access]])
  const { code, status = 200 } = refusal
  expect(answer, answer.message).toMatchObject({ status, success: false, code })
  expect(answer.body['message']).toMatch(refusal.says ?? /\S/)
}

function send(
  call: Pick<Call, 'method' | 'path'>,
  sent: Parameters<typeof addressOf>[1],
  client: ApiClient,
): Promise<Answer> {
  return client.call(call.method, addressOf(call.path, sent), sent.body)
}

/** All faults at once, each with its place. */
export function expectShape(value: unknown, shape: TSchema): void {
  const faults = [...Value.Errors(shape, value)].map(
    ({ path, message, value: found }) => `${path}: ${message}, got ${JSON.stringify(found)}`,
  )
  expect(faults).toEqual([])
}
