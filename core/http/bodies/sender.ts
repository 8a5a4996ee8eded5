import type { FastifyRequest } from 'fastify'
import type { Sender } from '../../limits/shares.ts'
import { clientNetwork } from '../../net/addresses/client-network.ts'

/** Whose share of the room for bodies a request takes: its account's, or that of its address while nobody is known. */
export function senderOf(request: FastifyRequest): Sender {
  const userId = request.relayCaller?.identity.userId ?? request.caller?.id
  return userId ?? clientNetwork(request.clientAddress)
}
