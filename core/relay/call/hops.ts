// A channel may lead to another gateway, and by mistake to this one. A call that comes back is refused, since it would loop forever.
import type { FastifyRequest } from 'fastify'
import { hopHeader } from '../../net/hop-header.ts'
import { relayErrors } from './relay-errors.ts'

type Passed = Pick<FastifyRequest, 'headers'>

/** The longest chain of gateways. Two or three in a row may be intended; a longer chain is a mistake that no single gateway can notice. */
const maxHops = 8
const idPattern = /^[0-9a-f]{32}$/

/** @throws relay.loop_detected if the call has passed this gateway before, on any node */
export function checkHops(request: Passed, hopId: string): void {
  if (request.headers[hopHeader] === undefined) return
  const ids = idsOf(request)
  if (ids.includes(hopId) || ids.length >= maxHops) throw relayErrors.loop()
}

/** The header's value for what goes upstream. */
export function nextHops(request: Passed, hopId: string): string {
  return request.headers[hopHeader] === undefined ? hopId : [...idsOf(request), hopId].join(', ')
}

/** Only valid ids are passed on, because the header comes from outside. */
function idsOf({ headers }: Passed): string[] {
  const value = headers[hopHeader]
  const entries = (Array.isArray(value) ? value.join() : (value ?? '')).split(',')
  return entries.map((entry) => entry.trim()).filter((entry) => idPattern.test(entry))
}
