import { ChunkedReader } from './chunked-reader.ts'
import { fieldName, isFieldValue, protocolError } from './fields.ts'

export interface ResponseHead {
  status: number
  /** Names in lower case. The values of a repeated field are joined with commas. */
  headers: Record<string, string>
}

export interface ResponseSink {
  /** Not called for informational answers (1xx). */
  onHead(head: ResponseHead): void
  onData(bytes: Buffer): void
}

const MOST_HEAD_BYTES = 32_768
/** The most informational answers (1xx) before the real one: a server that works for minutes may send one each second. */
const MOST_WAITING_HEADS = 1_000
const beginning = 'HTTP/1.'
const headEnd = Buffer.from('\r\n\r\n')
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const countPattern = /^\d{1,15}$/

/** Reads the answers on a connection, one after the other (RFC 9112). Strict: what could be understood in two ways is refused. */
export class ResponseReader {
  #method = ''
  /** The beginning of a head of which more must come. */
  #begun = ''
  /** Bytes of the body that have not arrived yet; Infinity: until the connection closes. */
  #left = 0
  #chunks: ChunkedReader | undefined
  #isHeadRead = false
  #waitingHeads = 0
  #isPersistent = true
  #idleMs = Number.POSITIVE_INFINITY

  /** Begins the answer to a request. */
  expect(method: string): void {
    this.#method = method
    this.#begun = ''
    this.#chunks = undefined
    this.#isHeadRead = false
    this.#waitingHeads = 0
    this.#isPersistent = true
    this.#idleMs = Number.POSITIVE_INFINITY
  }

  get isHeadRead(): boolean {
    return this.#isHeadRead
  }

  /** Whether the server accepts another request on this connection. */
  get isPersistent(): boolean {
    return this.#isPersistent
  }

  /** How long the server says that it keeps an idle connection; Infinity if it does not say. */
  get idleMs(): number {
    return this.#idleMs
  }

  /** Passes the content of these bytes to the sink. @returns true with the last byte of the answer
   *  @throws protocolError */
  read(bytes: Buffer, sink: ResponseSink): boolean {
    let rest: Buffer | undefined = bytes
    while (!this.#isHeadRead) {
      rest = this.#readHead(rest, sink)
      if (rest === undefined) return false
    }
    if (this.#chunks) return this.#readChunks(this.#chunks, rest, sink)
    // No request was sent to which further bytes could belong.
    const body = rest.length > this.#left ? rest.subarray(0, this.#left) : rest
    if (body !== rest) this.#isPersistent = false
    this.#left -= body.length
    if (body.length > 0) sink.onData(body)
    return this.#left === 0
  }

  /** The server has closed the connection. @returns whether this was the regular end of the answer */
  close(): boolean {
    this.#isPersistent = false
    return this.#isHeadRead && this.#left === Number.POSITIVE_INFINITY
  }

  #readChunks(chunks: ChunkedReader, bytes: Buffer, sink: ResponseSink): boolean {
    const data = chunks.read(bytes)
    if (data.length > 0) sink.onData(data)
    if (chunks.fault !== undefined) throw chunks.fault
    if (chunks.hasSurplus) this.#isPersistent = false
    return chunks.isDone
  }

  /** @returns the bytes after the head; undefined while the head is incomplete */
  #readHead(bytes: Buffer, sink: ResponseSink): Buffer | undefined {
    const from = this.#begun.length
    const end = from === 0 ? bytes.indexOf(headEnd) : -1
    if (end >= 0 && end <= MOST_HEAD_BYTES) {
      this.#takeHead(bytes.toString('latin1', 0, end), sink)
      return bytes.subarray(end + headEnd.length)
    }
    const most = MOST_HEAD_BYTES + headEnd.length - from
    this.#begun += bytes.toString('latin1', 0, Math.min(bytes.length, most))
    const whole = this.#begun.indexOf('\r\n\r\n', Math.max(0, from - 3))
    if (whole < 0) {
      if (bytes.length >= most) throw protocolError('HEADERS_TOO_LARGE')
      refuseBeginning(this.#begun, from)
      return undefined
    }
    this.#takeHead(this.#begun.slice(0, whole), sink)
    this.#begun = ''
    return bytes.subarray(whole + headEnd.length - from)
  }

  #takeHead(text: string, sink: ResponseSink): void {
    const lineEnd = text.indexOf('\r\n')
    const [, minor, digits] = statusLine.exec(lineEnd < 0 ? text : text.slice(0, lineEnd)) ?? []
    if (digits === undefined) throw protocolError('INVALID_STATUS_LINE')
    const status = Number(digits)
    // No request asks for an upgrade.
    if (status === 101) throw protocolError('UNASKED_UPGRADE')
    const headers = readFields(text, lineEnd < 0 ? text.length : lineEnd + 2)
    // An informational answer; the real one follows.
    if (status < 200) return this.#countWaiting()
    this.#isHeadRead = true
    this.#persist(minor === '1', headers)
    this.#frame(status, headers)
    sink.onHead({ status, headers })
  }

  #countWaiting(): void {
    this.#waitingHeads += 1
    if (this.#waitingHeads > MOST_WAITING_HEADS) throw protocolError('TOO_MANY_WAITING_HEADS')
  }

  #persist(isDefault: boolean, headers: Record<string, string>): void {
    const { connection } = headers
    if (connection === undefined) this.#isPersistent = isDefault
    else {
      const words = connection.toLowerCase()
      this.#isPersistent = isDefault ? !words.includes('close') : words.includes('keep-alive')
    }
    const seconds = /timeout=(\d{1,9})/i.exec(headers['keep-alive'] ?? '')?.[1]
    if (seconds !== undefined) this.#idleMs = Number(seconds) * 1000
  }

  /** How long the body is (RFC 9112 section 6.3). */
  #frame(status: number, headers: Record<string, string>): void {
    const coding = headers['transfer-encoding']
    const count = headers['content-length']
    if (this.#method === 'HEAD' || status === 204 || status === 304) this.#left = 0
    else if (coding !== undefined) {
      if (count !== undefined) throw protocolError('AMBIGUOUS_LENGTH')
      if (isChunked(coding)) this.#chunks = new ChunkedReader()
      this.#left = this.#chunks ? 0 : Number.POSITIVE_INFINITY
    } else if (count === undefined) this.#left = Number.POSITIVE_INFINITY
    else if (countPattern.test(count)) this.#left = Number(count)
    else throw protocolError('INVALID_CONTENT_LENGTH')
    if (this.#left === Number.POSITIVE_INFINITY) this.#isPersistent = false
  }
}

/** A server of another protocol may send nothing more, and one with other line ends never ends its head.
 *  @param from where the part begins that was not checked before
 *  @throws protocolError if no further bytes could make this a valid head */
function refuseBeginning(text: string, from: number): void {
  if (!text.startsWith(beginning.slice(0, text.length))) throw protocolError('INVALID_STATUS_LINE')
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charAt(at - 1) === '\r') continue
    throw protocolError(text.indexOf('\n') === at ? 'INVALID_STATUS_LINE' : 'INVALID_HEADER')
  }
}

/** @throws protocolError for chunks inside another coding, or twice */
function isChunked(coding: string): boolean {
  const at = coding.toLowerCase().indexOf('chunked')
  if (at < 0) return false
  if (at === coding.length - 7 && (at === 0 || /[ \t,]/.test(coding.charAt(at - 1)))) return true
  throw protocolError('INVALID_TRANSFER_ENCODING')
}

function readFields(text: string, from: number): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = from; at < text.length; ) {
    const next = text.indexOf('\r\n', at)
    const end = next < 0 ? text.length : next
    const colon = text.indexOf(':', at)
    const name = colon > at && colon < end ? fieldName(text.slice(at, colon)) : undefined
    const value = withoutSpace(text, colon + 1, end)
    if (name === undefined || !isFieldValue(value)) throw protocolError('INVALID_HEADER')
    const earlier = headers[name]
    // `headers['constructor']` is defined in an empty object too.
    if (earlier === undefined || !Object.hasOwn(headers, name)) headers[name] = value
    else headers[name] = `${earlier}, ${value}`
    at = end + 2
  }
  return headers
}

/** Removes spaces and tabs around a value. `trim` would also remove a no-break space of Latin-1. */
function withoutSpace(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const isSpace = (code: number) => code === 0x20 || code === 0x09
