import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../contract/http.ts'
import type { OptionActor } from '../../contract/options.ts'
import { addressKind } from '../../net/addresses/addresses.ts'

/** Who changes an option by this request. Of the address only its kind is stored. */
export function actorOf(request: FastifyRequest): OptionActor {
  const { id, username } = callerOf(request)
  return { id, username, origin: kindOf(request.clientAddress) }
}

function kindOf(address: string): string {
  if (address === '::1' || address.startsWith('127.')) return 'loopback'
  return isIP(address) !== 0 && addressKind(address) === 'public' ? 'public' : 'private'
}
