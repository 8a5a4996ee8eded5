// A client that leaves before anybody looks: while its key is read, a limiter or a hook is asked.
import { once } from 'node:events'
import { createServer, request as send, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { drained } from '../../net/clients/drained.ts'
import { enforceRateLimits } from '../intake/enforce-rate-limits.ts'
import { watchClient } from './client-state.ts'
import { OpenCalls } from './open-calls.ts'
import type { RelayCaller } from './relay-call.ts'

let server: Server
let raw: ServerResponse

beforeAll(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

beforeEach(async () => {
  const { port } = server.address() as AddressInfo
  const client = send({ port, host: '127.0.0.1' })
  client.on('error', () => undefined).end()
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  raw = response
  const closed = once(raw, 'close')
  client.destroy()
  await closed
})

const reply = () => ({ raw }) as FastifyReply

it('is known to be gone', () => {
  const client = watchClient(reply())
  expect(client.isGone).toBe(true)
  expect(client.goneAtMs).toBeGreaterThan(0)
})

it('keeps no place among the open calls', () => {
  const open = new OpenCalls(1)
  open.enter(reply())
  expect(open.size).toBe(0)
})

it('keeps no limiter waiting for the end of its call', async () => {
  const ends: boolean[] = []
  const limiter = {
    id: 'it',
    admit: () => Promise.resolve({ done: (isSuccess: boolean) => void ends.push(isSuccess) }),
  }
  const identity = { userId: 1, tokenGroup: '', userGroup: 'default' }
  await enforceRateLimits({ identity } as RelayCaller, reply(), [limiter])
  expect(ends).toEqual([false])
})

it('is not waited for until it takes more', async () => {
  await drained(raw, 60_000)
})
