import type { RealtimeApi } from '../../../contract/adapter.ts'
import type { ChatDialect, ClientError } from '../../../contract/dialect.ts'
import type { JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import type { NamedModel } from '../../charge/drawing-models.ts'
import type { KeyPlaces } from '../../intake/credentials.ts'

/** How client and upstream speak in a session over a WebSocket. The relay passes their frames on unchanged; a protocol says what they mean. */
export interface SessionProtocol {
  readonly api: RealtimeApi
  /** Of errors before the handshake is answered. */
  readonly dialect: ChatDialect
  readonly keyPlaces: KeyPlaces
  /** For an API whose clients name the model in their first message. */
  readonly opening?: SessionOpening
  /** Asks the upstream to end the session in good order, which it does with its last usage. */
  readonly farewell?: string
  meter(model: string): SessionMeter
  /** What a frame of the client says to the model, in the fields of a body. */
  promptOf(frame: JsonObject): JsonObject | undefined
  /** @throws AppError if a frame of the client asks for what its price does not cover */
  refusePaidWishes?(frame: JsonObject): void
  /** The model to which a frame of the client has the session delegate work. */
  delegateOf?(frame: JsonObject): NamedModel | undefined
  /** How a failure is told: in a frame before the socket is closed, if the API has one, and as the reason of the close frame. */
  writeError(error: ClientError): { frame?: string; reason: string }
}

export interface SessionOpening {
  /** Where the message names the model, for errors. */
  readonly field: string
  /** A frame for clients that wait for one before they speak. */
  readonly greeting?: string
  modelOf(frame: JsonObject): string | undefined
  withModel(frame: JsonObject, model: string): JsonObject
}

/** Counts what passes through a session since its last charge. */
export interface SessionMeter {
  /** Whether the upstream is at work: an answer has not ended, or the session is sold by the second. */
  readonly isAnswering: boolean
  /** Counts a frame of the client. */
  sent(frame: JsonObject): void
  /** Counts a frame of the upstream.
   *  @returns what is charged before the client sees the frame; undefined as long as nothing has ended */
  received(frame: JsonObject): Ended | undefined
  /** What is due because of the time alone. */
  dueByTime?(): Usage | undefined
  /** What has been used since the last charge, quickly and roughly: good enough to see that the money is running out. */
  running(): Usage
  /** At the end of a session: what was delivered and is not charged yet. */
  rest(): Usage | undefined
}

/** An answer, or another part of a session that is charged by itself, has ended. */
export interface Ended {
  due: Usage | undefined
  /** The session itself has ended: nothing more is to be paid for. */
  isLast?: boolean
}
