// The client's side of a fixture: one raw HTTP call, its answer byte for byte.
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { ClientCall } from './fixture.ts'
import { writeMultipart } from './form-body.ts'
import { lowerCaseKeys } from './upstream-call.ts'

/** A fixture with polls inside one call may take this long (test/fixtures/README.md). */
const callTimeoutMs = 60_000

export interface ClientAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The connection broke before the answer's end. */
  isCut: boolean
}

export function sendClientCall(
  gatewayUrl: string,
  call: ClientCall,
  key: string,
): Promise<ClientAnswer> {
  const { contentType, body } = bodyOf(call)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': contentType,
    ...lowerCaseKeys(call.headers ?? {}),
    ...(body.length > 0 ? { 'content-length': String(body.length) } : {}),
  } as Record<string, string>
  return new Promise((resolve, reject) => {
    const request = httpRequest(gatewayUrl + call.path, {
      method: call.method,
      headers,
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    request.on('error', (error) =>
      reject(new Error(`the gateway gave no answer: ${error.message}`)),
    )
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      const done = (isCut: boolean) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          isCut,
        })
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => done(false))
      response.on('error', () => done(true))
    })
    request.end(body)
  })
}

function bodyOf(call: ClientCall): { contentType: string; body: Buffer } {
  if (call.form) return writeMultipart(call.form)
  const body = call.body === undefined ? '' : JSON.stringify(call.body)
  return { contentType: 'application/json', body: Buffer.from(body) }
}
