// A collector of OpenTelemetry traces: receives protobuf over HTTP and reads it by the field numbers of
// opentelemetry/proto/trace/v1/trace.proto.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Value = string | number | boolean

export interface ReceivedSpan {
  resource: Record<string, Value>
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'other'
  startNs: bigint
  endNs: bigint
  attributes: Record<string, Value>
  events: { name: string; atNs: bigint }[]
  isError: boolean
}

export interface TraceReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The headers of the last export. */
  readonly headers: IncomingHttpHeaders
  /** All received bytes as text. */
  text(): string
  close(): Promise<void>
}

export async function traceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  let headers: IncomingHttpHeaders = {}
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      headers = request.headers
      bodies.push(body)
      if (request.url === '/v1/traces') spans.push(...readExport(body))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get headers() {
      return headers
    },
    text: () => Buffer.concat(bodies).toString('latin1'),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Field {
  number: number
  bytes: Buffer
  value: bigint
}

/** The fields of a message, of any type. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    const empty = Buffer.alloc(0)
    if ((tag & 7) === 0) yield { number, bytes: empty, value: varint() }
    else {
      const length = { 1: 8, 5: 4 }[tag & 7] ?? Number(varint())
      const part = bytes.subarray(at, at + length)
      at += length
      yield { number, bytes: part, value: length === 8 ? part.readBigUInt64LE() : 0n }
    }
  }
}

function only(bytes: Buffer, number: number): Buffer[] {
  return [...fieldsOf(bytes)].filter((field) => field.number === number).map((field) => field.bytes)
}

function readExport(body: Buffer): ReceivedSpan[] {
  return only(body, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(only(resourceSpans, 1).flatMap((part) => only(part, 1)))
    const scopes = only(resourceSpans, 2)
    return scopes.flatMap((scope) => only(scope, 2).map((span) => readSpan(span, resource)))
  })
}

const kinds: Record<string, ReceivedSpan['kind']> = { 1: 'internal', 2: 'server', 3: 'client' }

function readSpan(bytes: Buffer, resource: ReceivedSpan['resource']): ReceivedSpan {
  const fields = [...fieldsOf(bytes)]
  const first = (number: number) => fields.find((field) => field.number === number)
  const status = first(15)?.bytes ?? Buffer.alloc(0)
  return {
    resource,
    traceId: first(1)?.bytes.toString('hex') ?? '',
    spanId: first(2)?.bytes.toString('hex') ?? '',
    parentSpanId: first(4)?.bytes.toString('hex') ?? '',
    name: first(5)?.bytes.toString() ?? '',
    kind: kinds[String(first(6)?.value)] ?? 'other',
    startNs: first(7)?.value ?? 0n,
    endNs: first(8)?.value ?? 0n,
    attributes: readAttributes(only(bytes, 9)),
    events: only(bytes, 11).map((event) => ({
      name: only(event, 2).join(''),
      atNs: [...fieldsOf(event)].find(({ number }) => number === 1)?.value ?? 0n,
    })),
    isError: [...fieldsOf(status)].some(({ number, value }) => number === 3 && value === 2n),
  }
}

function readAttributes(pairs: readonly Buffer[]): Record<string, Value> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = fieldsOf(only(pair, 2)[0] ?? Buffer.alloc(0))
      return [only(pair, 1).join(''), valueOf(value)]
    }),
  )
}

function valueOf(field: Field | undefined): Value {
  if (field?.number === 2) return field.value === 1n
  if (field?.number === 3) return Number(field.value)
  if (field?.number === 4) return field.bytes.readDoubleLE()
  return field?.bytes.toString() ?? ''
}
