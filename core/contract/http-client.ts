// What a request to an upstream is, and the client that sends it. Implemented in core/net.

export interface UpstreamRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array | FormPart[]
}

export interface UpstreamResponse {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array>
}

export type FormPart =
  | { name: string; value: string }
  | { name: string; filename: string; contentType: string; data: Uint8Array }

/** The only way out of the process: time-outs, a DNS-pinned SSRF guard, connection pools per origin, proxy support. */
export interface HttpClient {
  request(request: UpstreamRequest, options?: HttpOptions): Promise<UpstreamResponse>
  /** Reads at most `maxBytes` (default 10 MiB) of a JSON answer. */
  json(
    request: UpstreamRequest,
    options?: HttpOptions & { maxBytes?: number },
  ): Promise<{ status: number; headers: Record<string, string>; body: unknown }>
  /** Opens a WebSocket; a refused handshake rejects with an UpstreamError that holds the status and body. */
  webSocket(
    url: string,
    options?: HttpOptions & { headers?: Record<string, string>; protocols?: string[] },
  ): Promise<UpstreamSocket>
}

export interface HttpOptions {
  /** `admin`: private addresses are allowed, metadata and link-local are not. `user`: public addresses and SSRF_ALLOW only. Default admin. */
  trust?: 'admin' | 'user'
  /** http://, https:// or socks5:// */
  proxy?: string | undefined
  /** Headers that an admin set for a channel. They replace those of the request, at this host (with port) only. Names are in lower case. */
  channelHeaders?: { host: string; headers: Readonly<Record<string, string>> } | undefined
  signal?: AbortSignal | undefined
  /** Until the headers; default 600 000. */
  firstByteTimeoutMs?: number
  /** Between chunks; default 300 000. */
  idleTimeoutMs?: number
  /** How long a body may wait for its reader; default: for ever, and 60 000 for plugins from outside. */
  unreadTimeoutMs?: number
  /** How many redirects are followed; each hop passes the guard again. Default 0. */
  maxRedirects?: number
  /** Lets a gateway recognise its own call when it comes back (core/relay/call/hops.ts); adapters pass it on with the other options. */
  hops?: string | undefined
}

export interface UpstreamSocket {
  readonly protocol: string
  send(data: string | Uint8Array): void
  /** Text frames as strings, binary frames as bytes; ends when the peer closes, throws when the socket breaks. */
  messages: AsyncIterable<string | Uint8Array>
  close(code?: number, reason?: string): void
  /** Ends both directions at once; `messages` throws the error. */
  break(error: unknown): void
  readonly bufferedAmount: number
  /** Resolves when everything sent has left the process, or the socket has closed. */
  drained(): Promise<void>
  /** How the peer closed; undefined until then. */
  readonly ending: { code: number; reason: string } | undefined
}
