import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { limitStall } from '../net/clients/drained.ts'

/** What the buffers of the system take at once. */
const SHORT_BYTES = 65_536

/** Closes the connection of a client that reads nothing of a long answer for this time; otherwise answer and connection
 *  would be kept for as long as the client likes. Answers of the relay are hijacked and have limits of their own. */
export function limitUnreadAnswers(app: FastifyInstance, stallMs: number): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Requests of `inject` have no connection.
    if (reply.raw.socket instanceof Socket && isLong(payload)) limitStall(reply.raw, stallMs)
    done(null, payload)
  })
}

function isLong(payload: unknown): boolean {
  if (typeof payload === 'string' || payload instanceof Uint8Array)
    return payload.length > SHORT_BYTES
  // A stream, which may have any length.
  return typeof payload === 'object' && payload !== null
}
