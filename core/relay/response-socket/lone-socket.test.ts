// A Responses socket without a gateway: what it does when checks fail, when it is old, and what it remembers.
import { afterEach, expect, it, vi } from 'vitest'
import { errorType } from '../../contract/errors.ts'
import { BodyIntake } from '../../http/bodies/body-intake.ts'
import { PushQueue } from '../../net/push-queue.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { KeptTexts } from '../conversation/kept-texts.ts'
import { ResponseSocket, socketTurnBounds } from './response-socket.ts'

afterEach(() => vi.useRealTimers())

interface Frame {
  type: string
  error?: { code: string }
  response?: { id: string }
}

function opened(
  check: () => Promise<void> = async () => undefined,
  { bufferedAmount = 0, drained = Promise.resolve() } = {},
) {
  const messages = new PushQueue<string>({
    onDrained: () => undefined,
    onCancelled: () => undefined,
  })
  const sent: Frame[] = []
  const closed = vi.fn(() => messages.end())
  const socket = {
    protocol: '',
    messages,
    send: (text: string | Uint8Array) => void sent.push(JSON.parse(String(text)) as Frame),
    close: closed,
    break: () => undefined,
    bufferedAmount,
    drained: () => drained,
    ending: undefined,
  }
  const turns = new KeptTexts(socketTurnBounds)
  const post = vi.fn(() => Promise.reject(new Error('no server')))
  const intake = new BodyIntake({ limitBytes: 10_000, slowSeconds: 1 })
  const deps = { turns, loopback: { post }, intake, log: quietLog, stallMs: 1_000 }
  const client = {
    userId: 1,
    socket,
    remoteAddress: '',
    headers: {},
    language: 'en' as const,
    check,
  }
  const session = new ResponseSocket(client, deps)
  const say = (message: object) => messages.push(JSON.stringify(message), 1)
  return { session, sent, closed, say, messages, post, ended: session.run() }
}

it('stays while nobody can tell whether its key is good, and ends when it is not', async () => {
  const away = errorType('server.database_away', 503, { en: 'Away', zh: 'Away' })
  const answers = [away(), relayErrors.keyExpired()]
  const { session, sent, closed, ended } = opened(() => Promise.reject(answers.shift()))
  await session.recheck()
  expect(closed).not.toHaveBeenCalled()
  await session.recheck()
  expect(closed).toHaveBeenCalledWith(1008, 'api_key_expired')
  expect(sent).toMatchObject([{ type: 'error', error: { code: 'api_key_expired' } }])
  await ended
})

it('says after an hour that its client must connect again, and closes', async () => {
  vi.useFakeTimers()
  const { sent, closed, ended } = opened()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sent).toMatchObject([{ error: { code: 'websocket_connection_limit_reached' } }])
  expect(closed).toHaveBeenCalledWith(1001)
  await ended
})

it('tells of what went wrong within the gateway without saying what', async () => {
  const { sent, say, messages, ended } = opened()
  say({ type: 'response.create', model: 'm', input: 'Hi' })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toMatchObject([{ type: 'error', status: 500 }])
  expect(JSON.stringify(sent)).not.toContain('no server')
  messages.end()
  await ended
})

it('lets others have their turn between many messages', async () => {
  const { sent, say, messages, ended } = opened()
  for (let count = 0; count < 200; count += 1) say({ type: 'unknown' })
  const first = await new Promise<number>((resolve) => setImmediate(() => resolve(sent.length)))
  expect(first).toBeLessThan(100)
  await vi.waitFor(() => expect(sent).toHaveLength(200))
  messages.end()
  await ended
})

it('forgets a stream that has long been silent for a new one', async () => {
  const { sent, say, messages, ended } = opened()
  const warmUp = (name: number, from?: string) =>
    say({
      type: 'response.create',
      generate: false,
      stream_id: String(name),
      ...(from ? { previous_response_id: from } : {}),
    })
  for (let name = 0; name < 17; name += 1) warmUp(name)
  await vi.waitFor(() => expect(sent).toHaveLength(34))
  const idOf = (at: number) => sent[at]?.response?.id ?? ''
  warmUp(17, idOf(0))
  await vi.waitFor(() => expect(sent).toHaveLength(35))
  expect(sent[34]).toMatchObject({ error: { code: 'previous_response_not_found' } })
  warmUp(16, idOf(32))
  await vi.waitFor(() => expect(sent).toHaveLength(37))
  messages.end()
  await ended
})

it('hears nothing more of a client that does not read its answers', async () => {
  const { promise: drained, resolve: read } = Promise.withResolvers<void>()
  const { sent, say, messages, ended } = opened(undefined, { bufferedAmount: 2_000_000, drained })
  for (let count = 0; count < 3; count += 1) say({ type: 'unknown' })
  messages.end()
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toHaveLength(1)
  read()
  await ended
  expect(sent).toHaveLength(3)
})

it('refuses a message for whose waiting the process has no room', async () => {
  const { sent, say, messages, post, ended } = opened()
  const { promise: answered, reject: fail } = Promise.withResolvers<never>()
  post.mockImplementation(() => answered)
  const ask = () => say({ type: 'response.create', model: 'm', input: 'x'.repeat(6_000) })
  ask()
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce())
  ask()
  ask()
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toMatchObject([{ type: 'error', status: 503 }])
  fail(new Error('no server'))
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  ask()
  await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(3))
  messages.end()
  await ended
})
