// Decides which bodies are read, how large they may be, and how they are parsed.
import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorType } from '../../contract/errors.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import { plainTypeOf } from '../../wire/media-type.ts'
import type { BodyIntake, OpenBody } from './body-intake.ts'
import { refuseNul } from './nul.ts'
import { readBody } from './read-body.ts'
import { readJson } from './read-json.ts'
import { senderOf } from './sender.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for calls: their large body counts until this stream is closed. */
    answerStream: ServerResponse | null
    /** The large body; code that needs it for longer must hold it. */
    largeBody: OpenBody | null
  }
}

const bodyNotJson = errorType('request.not_json', 415, {
  en: 'The body must be JSON: send it with the header "Content-Type: application/json".',
  zh: '请求体须为 JSON，请携带请求头“Content-Type: application/json”。',
})

/** The largest body of a console call; long because of the option maps. */
const API_BODY_BYTES = 8 * 1_048_576

/** The largest uploaded file. */
const FILE_BYTES = 32 * 1_048_576

/** The largest body of an unknown caller: a sign-in, a setup, a notice. */
const STRANGER_BODY_BYTES = 65_536

export interface BodyDeps {
  relayBodyBytes: number
  intake: BodyIntake
}

/** Console routes get parsed JSON, relay routes the bytes. */
export function readBodiesOurselves(app: FastifyInstance, deps: BodyDeps): void {
  app.decorateRequest('answerStream', null)
  app.decorateRequest('largeBody', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    (
      request: FastifyRequest,
      _payload: unknown,
      done: (error: Error | null, body?: unknown) => void,
    ) => {
      const { config } = request.routeOptions
      const { relay, takesBytes, takesFile } = config
      const isRelay = relay !== undefined
      const isBare = isRelay || takesBytes || takesFile
      const limitBytes = limitOf(request, config, deps)
      const isJson = isRelay ? !plainTypeOf(request.headers).startsWith('multipart/') : !isBare
      const keep = isRelay ? keeperOf(request) : undefined
      const sender = senderOf(request)
      readBody(request.raw, { limitBytes, intake: deps.intake, sender, isJson, keep })
        .then((bytes) => done(null, isBare ? bytes : valueOf(request, bytes)))
        .catch((error: Error) => done(error))
    },
  )
}

/** Runs before the body is read. */
export function noteAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.answerStream = reply.raw
}

function keeperOf(request: FastifyRequest): ((body: OpenBody) => void) | undefined {
  const { answerStream } = request
  if (answerStream === null) return undefined
  return (body) => {
    request.largeBody = body
    whenClosed(answerStream, () => body.close())
  }
}

/** Runs after guards and key checks, so the sender is known. */
function limitOf(
  request: FastifyRequest,
  { relay, takesFile }: FastifyContextConfig,
  { relayBodyBytes }: BodyDeps,
): number {
  const isKnown = request.caller !== null || Boolean(request.relayCaller)
  if (!isKnown) return STRANGER_BODY_BYTES
  if (takesFile) return FILE_BYTES
  return relay ? relayBodyBytes : API_BODY_BYTES
}

/** Accepts JSON only: pages of other sites can send forms and plain text, but for JSON the browser asks first (CORS
 *  preflight) and is refused.
 *  @throws request.not_json, request.malformed_json, request.invalid_field */
function valueOf(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const value = parsed(request, bytes)
  // A NUL stands in the text as a byte or as an escape. Most bodies contain neither.
  if (bytes.includes(0) || bytes.includes('u0000')) refuseNul(value, 'body')
  return value
}

function parsed(request: FastifyRequest, bytes: Buffer): unknown {
  switch (plainTypeOf(request.headers)) {
    case 'application/json':
      return readJson(bytes)
    case 'application/x-www-form-urlencoded':
      if (request.routeOptions.config.takesForms)
        return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  }
  throw bodyNotJson()
}
