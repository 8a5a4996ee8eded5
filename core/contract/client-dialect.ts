// A client API besides those that the gateway serves itself: read into the neutral form, written from it.
import type { AnswerMeta, ClientError, StreamWriter } from './dialect.ts'
import type { JsonObject } from './json.ts'
import type { ChatEvent, ChatRequest } from './neutral.ts'

/** Core owns keys, limits, routing, price, hooks and the charge; a dialect only translates. It serves any model of any upstream through the
 *  neutral form, never byte for byte. A `DialectCodec` has all of its functions. */
export interface ClientDialect {
  /** Lower-case letters, digits and hyphens; its routes begin with `/<id>/`. */
  id: string
  routes: readonly ClientDialectRoute[]
  /** A header in which its clients may send their key, besides `Authorization`; lower case. */
  keyHeader?: string
  /** Content type of its streams; default `text/event-stream; charset=utf-8`. */
  streamType?: string
  /** A meaningless text that keeps a silent stream alive; default: a comment of an event stream. */
  ping?: string
  /** @throws AppError that its clients read as a 400 */
  parseRequest(body: JsonObject, call: ClientDialectCall): ChatRequest
  writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject
  streamWriter(meta: AnswerMeta): StreamWriter
  /** The body of every refusal; the status is set by core. */
  writeError(error: ClientError): JsonObject
  /** The text of an error after output began. */
  streamError(error: ClientError): string
}

/** Takes POST with a JSON object. */
export interface ClientDialectRoute {
  /** `/acme/chat`, `/acme/models/:model/answer`. */
  path: string
}

export interface ClientDialectCall {
  /** The route's. */
  path: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}
