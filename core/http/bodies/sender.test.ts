import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { senderOf } from './sender.ts'

/** Fastify's `ip` may be anything that a client behind a trusted proxy has made up. */
const stranger = { ip: 'made up', clientAddress: '192.0.2.1', caller: null, relayCaller: null }
const of = (fields: object) => senderOf({ ...stranger, ...fields } as unknown as FastifyRequest)

it('is the account, by key or session, else the network of the address that counts', () => {
  expect(of({ relayCaller: { identity: { userId: 7 } } })).toBe(7)
  expect(of({ caller: { id: 7 } })).toBe(7)
  expect(of({})).toBe('192.0.2.1')
  expect(of({ clientAddress: '2001:db8:1:2:3::4' })).toBe(of({ clientAddress: '2001:db8:1:2::5' }))
})
