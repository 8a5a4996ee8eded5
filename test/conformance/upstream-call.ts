// A call that reached the mock upstream, and what a fixture says about it.
import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '#core'
import type { Expectation } from './fixture.ts'
import { readForm } from './form-body.ts'
import { type Mismatch, describeMismatches, matchSubset, resolvePointer } from './match.ts'

export interface UpstreamCall {
  method: string
  /** Percent-decoded once, without the query. */
  path: string
  query: Record<string, string>
  headers: IncomingHttpHeaders
  body: Buffer
}

export function upstreamCall(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): UpstreamCall {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = Object.fromEntries(new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)))
  return { method, path: decodeOnce(path), query, headers, body }
}

/** Whether the call is meant for this expectation at all; the rest of it is judged by `faultsOf`. */
export function isAddressedTo(call: UpstreamCall, expectation: Expectation): boolean {
  return call.method === expectation.method && call.path === decodeOnce(expectation.path)
}

/** Every difference between the call and the expectation, in words. */
export function faultsOf(call: UpstreamCall, expectation: Expectation): string[] {
  return [
    ...labelled('query', matchSubset(call.query, expectation.query ?? {})),
    ...absentFrom('query', call.query, expectation.queryAbsent),
    ...labelled('header', matchSubset(call.headers, lowerCaseKeys(expectation.headers ?? {}))),
    ...absentFrom(
      'header',
      call.headers,
      expectation.headersAbsent?.map((name) => name.toLowerCase()),
    ),
    ...bodyFaults(call, expectation),
  ]
}

export function lowerCaseKeys(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]),
  )
}

/** The JSON body; undefined when it is none. */
export function jsonBody(call: UpstreamCall): unknown {
  try {
    return JSON.parse(call.body.toString('utf8'))
  } catch {
    return undefined
  }
}

function bodyFaults(call: UpstreamCall, expectation: Expectation): string[] {
  const { bodySubset, bodyAbsent, bodyForm } = expectation
  if (bodyForm !== undefined) {
    return labelled(
      'form',
      matchSubset(readForm(call.headers['content-type'], call.body), bodyForm),
    )
  }
  if (bodySubset === undefined && bodyAbsent === undefined) return []
  const body = jsonBody(call)
  if (body === undefined) {
    return [`body is no JSON: ${call.body.toString('utf8').slice(0, 200) || '(empty)'}`]
  }
  return [
    ...(bodySubset === undefined ? [] : labelled('body', matchSubset(body, bodySubset))),
    ...(bodyAbsent ?? [])
      .filter((pointer) => resolvePointer(body, pointer) !== undefined)
      .map((pointer) => `body ${pointer} must be absent`),
  ]
}

function labelled(label: string, mismatches: readonly Mismatch[]): string[] {
  return describeMismatches(mismatches).map((text) => `${label} ${text}`)
}

function absentFrom(label: string, values: object, names: readonly string[] = []): string[] {
  return names
    .filter((name) => isObject(values) && values[name] !== undefined)
    .map((name) => `${label} ${name} must be absent`)
}

function decodeOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
