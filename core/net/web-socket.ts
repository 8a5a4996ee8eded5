import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { WebSocket } from 'ws'
import type { HttpOptions, UpstreamSocket } from '../contract/http-client.ts'
import { UpstreamError } from '../contract/errors.ts'
import { readRetryAfter } from '../upstream-failures/retry-after.ts'
import { netError, netTimeout, netUnreachable } from './net-errors.ts'
import { pingOften } from './ping-often.ts'
import { PushQueue } from './push-queue.ts'

const handshakeTimeoutMs = 30_000
/** Realtime services send frames with up to 15 MiB of audio, which base64 makes 20 MiB. */
const maxMessageBytes = 32 * 1024 * 1024
/** How many bytes may wait for a slow reader before the socket is paused. */
const highWaterMark = 1024 * 1024
const maxRefusalBytes = 64 * 1024
const maxReasonBytes = 123

/** Speaks WebSocket over a connection that is already open (and was checked when it was opened).
 *  @throws UpstreamError if the handshake is refused; its message is the body of the answer
 *  @throws net.unreachable, net.timeout */
export function openWebSocket(
  connection: Socket,
  url: URL,
  options: HttpOptions & { headers?: Record<string, string>; protocols?: string[] },
): Promise<UpstreamSocket> {
  const { signal } = options
  if (signal?.aborted) {
    connection.destroy()
    return Promise.reject(signal.reason as Error)
  }
  const socket = new WebSocket(url, options.protocols ?? [], {
    createConnection: () => connection,
    headers: options.headers ?? {},
    handshakeTimeout: Math.min(
      options.firstByteTimeoutMs ?? handshakeTimeoutMs,
      handshakeTimeoutMs,
    ),
    maxPayload: maxMessageBytes,
    // Realtime frames are small or already compressed audio: a deflate context per connection would not pay.
    perMessageDeflate: false,
  })
  const opened = new OpenSocket(socket, options.idleTimeoutMs)
  const onAbort = (): void => opened.break(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', onAbort))
  socket.once('open', () => pingOften(socket, connection, { mayIgnorePings: true }))
  return handshake(socket, opened, signal)
}

/** The client's end of a connection that this process has accepted, with the same back-pressure. Call it before the
 *  first frame can arrive. */
export function acceptedSocket(socket: WebSocket): UpstreamSocket {
  return new OpenSocket(socket, undefined)
}

function handshake(
  socket: WebSocket,
  opened: OpenSocket,
  signal: AbortSignal | undefined,
): Promise<UpstreamSocket> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(opened))
    socket.once('error', (error) => {
      if (signal?.aborted) reject(signal.reason as Error)
      else if (/handshake has timed out/.test(error.message)) {
        reject(netTimeout({ phase: 'headers' }, { cause: error }))
      } else reject(netError(error, 'headers'))
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      readRefusal(response).then(
        (failure) => {
          reject(failure)
          socket.terminate()
        },
        (error: unknown) => reject(netError(error, 'body')),
      )
    })
  })
}

async function readRefusal(response: IncomingMessage): Promise<UpstreamError> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxRefusalBytes) break
  }
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'])
  return new UpstreamError({
    status: response.statusCode ?? 502,
    message: Buffer.concat(chunks).toString('utf8', 0, maxRefusalBytes),
    code: null,
    isKnownShape: false,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

class OpenSocket implements UpstreamSocket {
  readonly messages: PushQueue<string | Uint8Array>
  readonly #socket: WebSocket
  #idleTimer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  ending: { code: number; reason: string } | undefined

  constructor(socket: WebSocket, idleTimeoutMs: number | undefined) {
    this.#socket = socket
    this.messages = new PushQueue({
      onDrained: () => socket.resume(),
      onCancelled: () => this.close(1000),
    })
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    socket.on('error', (error) => this.messages.fail(netError(error, 'body')))
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString('utf8')))
    // No limit unless one is given: long silence is normal in a spoken session.
    if (idleTimeoutMs !== undefined) this.#watch(idleTimeoutMs)
  }

  get protocol(): string {
    return this.#socket.protocol
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data, this.#onSent)
  }

  drained(): Promise<void> {
    if (this.#socket.bufferedAmount === 0 || this.#socket.readyState === WebSocket.CLOSED)
      return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  readonly #onSent = (): void => {
    if (this.#socket.bufferedAmount === 0) this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  close(code = 1000, reason = ''): void {
    if (this.#socket.readyState >= WebSocket.CLOSING) return
    this.#socket.resume()
    this.#socket.close(isSendable(code) ? code : 1000, fitReason(reason))
  }

  /** Ends both directions at once; the reader gets `error`. */
  break(error: unknown): void {
    this.messages.fail(error, true)
    this.#socket.terminate()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#idleTimer?.refresh()
    this.messages.push(isBinary ? data : data.toString('utf8'), data.length)
    if (this.messages.queuedSize > highWaterMark) this.#socket.pause()
  }

  #onClose(code: number, reason: string): void {
    clearTimeout(this.#idleTimer)
    this.ending = { code, reason }
    this.#wake()
    // 1006: the connection ended without a closing frame (RFC 6455 section 7.1.5).
    if (code === 1006) this.messages.fail(netUnreachable({ reason: 'ECONNRESET', phase: 'body' }))
    else this.messages.end()
  }

  #watch(idleTimeoutMs: number): void {
    this.#idleTimer = setTimeout(() => this.break(netTimeout({ phase: 'body' })), idleTimeoutMs)
    this.#idleTimer.unref()
  }
}

/** 1004 to 1006 and 1015 are never sent (RFC 6455 section 7.4), but a relayed close may have them. */
function isSendable(code: number): boolean {
  if (code >= 3000 && code <= 4999) return true
  return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)
}

/** The limit is in bytes; the decoder drops a character that the limit has cut. */
function fitReason(reason: string): string {
  return new StringDecoder('utf8').write(Buffer.from(reason).subarray(0, maxReasonBytes))
}
