// Every route as every caller with every hostile body: what must hold whatever comes in.
import type { Pool } from 'undici'
import type { FuzzCaller } from './callers.ts'
import { fieldValues, hostileBodies, pathParts, queries } from './hostile-values.ts'
import { soundBody } from './sound-bodies.ts'

/** An answer that comes later keeps the loop, and so everybody, waiting. */
const latestMs = 2_000
/** In which the gateway says that a thing is not built, or not there at the moment. */
const allowedServerStatus = new Set([501, 503])

export interface FuzzRoute {
  method: string
  path: string
}

export interface FuzzCall {
  method: string
  path: string
  what: string
  headers: Record<string, string>
  bytes: Buffer | undefined
}

export interface FuzzFault {
  caller: string
  call: string
  fault: string
}

/** The lines of `tollgate routes`, without the files of the console. */
export function readRoutes(lines: string): FuzzRoute[] {
  return lines
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, path = '']) => path !== '' && !/^\/(?:assets|sdk)\//.test(path))
    .map(([method = '', path = '']) => ({ method, path }))
}

const readsBodies = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** All calls of one route. */
export function* callsOf(route: FuzzRoute): Generator<FuzzCall> {
  const plain = fill(route.path, '1')
  for (const part of route.path.includes(':') || route.path.includes('*') ? pathParts : [])
    yield { ...route, path: fill(route.path, part), what: part, headers: {}, bytes: undefined }
  for (const query of queries)
    yield { ...route, path: `${plain}?${query}`, what: query, headers: {}, bytes: undefined }
  if (!readsBodies.has(route.method)) return
  for (const { name, bytes, headers } of hostileBodies)
    yield { ...route, path: plain, what: name, headers, bytes }
  yield* mutations(route, plain)
}

function* mutations(route: FuzzRoute, path: string): Generator<FuzzCall> {
  const sound = soundBody(path)
  if (!sound) return
  const headers = { 'content-type': 'application/json' }
  for (const field of Object.keys(sound)) {
    for (const value of fieldValues) {
      const bytes = Buffer.from(JSON.stringify({ ...sound, [field]: value }))
      const what = `${field}: ${JSON.stringify(value).slice(0, 40)}`
      yield { ...route, path, what, headers, bytes }
    }
  }
}

function fill(path: string, part: string): string {
  const whole = path.includes('/v1beta/models/*') ? `${part}:generateContent` : part
  return path.replaceAll(/:\w+/g, part).replaceAll('*', whole)
}

/** @returns what is wrong with the answer, or nothing */
export async function send(
  pool: Pool,
  caller: FuzzCaller,
  call: FuzzCall,
): Promise<{ status: number; fault?: FuzzFault }> {
  const began = performance.now()
  const { status, text } = await answerTo(pool, caller, call)
  const tookMs = performance.now() - began
  const reason =
    status >= 500 && !allowedServerStatus.has(status)
      ? `status ${status}: ${text.slice(0, 200)}`
      : tookMs > latestMs
        ? `answered after ${Math.round(tookMs)} ms`
        : leak(text)
  if (reason === undefined) return { status }
  const shown = `${call.method} ${call.path.slice(0, 80)} (${call.what.slice(0, 60)})`
  return { status, fault: { caller: caller.name, call: shown, fault: reason } }
}

async function answerTo(pool: Pool, caller: FuzzCaller, call: FuzzCall) {
  try {
    const answer = await pool.request({
      method: call.method,
      path: call.path,
      headers: { ...call.headers, ...caller.headers() },
      body: call.bytes ?? null,
      headersTimeout: 30_000,
      bodyTimeout: 30_000,
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  } catch (error) {
    // A connection that is closed on a body which nobody will read is an answer too.
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const isClosed =
      call.bytes !== undefined && ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)
    return { status: isClosed ? 0 : 599, text: code }
  }
}

/** One line for each kind of fault, with an example and how often it was met. */
export function summaryOf(faults: readonly FuzzFault[]): string[] {
  const kinds = Map.groupBy(faults, ({ call, fault }) => {
    const what = /\((.*)\)$/.exec(call)?.[1] ?? ''
    return `${what} → ${fault.replaceAll(/\d{3,}\w*/g, '…')}`
  })
  return [...kinds].map(
    ([kind, list]) => `${list.length} × ${kind}: ${list[0]?.caller}, ${list[0]?.call}`,
  )
}

/** Stacks, statements and places of files are nobody's business. */
function leak(text: string): string | undefined {
  const found = /\n\s+at \w|node_modules|SQLITE_|\/core\/[\w/-]+\.ts|syntax error at or near/.exec(
    text,
  )
  return found ? `the answer tells ${JSON.stringify(found[0])}` : undefined
}
