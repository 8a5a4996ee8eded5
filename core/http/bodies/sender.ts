import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../net/addresses/client-network.ts'

/** Whose share of the room for bodies a request takes: its account's, or that of its address while nobody is known. */
export function senderOf(request: FastifyRequest): string {
  const userId = request.relayCaller?.identity.userId ?? request.caller?.id
  return userId === undefined ? clientNetwork(request.clientAddress) : accountSender(userId)
}

export function accountSender(userId: number): string {
  return `account ${userId}`
}
