// What the functions of an adapter from outside give for requests and whole answers, held to the contract.
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isObject, type JsonObject } from '../../contract/json.ts'

function fail(words: string): never {
  throw new TypeError(words)
}

export function checkModel(value: unknown): void {
  const isNamed = isObject(value) && typeof value['model'] === 'string' && value['model'] !== ''
  if (value !== undefined && !isNamed) fail('it gave no model')
}

/** Headers of a request, which must be possible to send. */
function checkHeaders(headers: unknown): void {
  if (!isObject(headers)) fail('it gave no headers')
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') fail(`it gave a header "${name}" that is no text`)
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
}

export function checkEndpoint(value: unknown): void {
  if (!isObject(value) || typeof value['url'] !== 'string') fail('it gave no address')
  checkHeaders(value['headers'])
}

export function checkRequest(value: unknown): void {
  if (!isObject(value) || typeof value['url'] !== 'string' || typeof value['method'] !== 'string')
    fail('it gave no request')
  checkHeaders(value['headers'])
  const { body } = value
  const isBody = typeof body === 'string' || body instanceof Uint8Array || Array.isArray(body)
  if (body !== undefined && !isBody) fail('it gave a body that is neither text, bytes nor parts')
}

export function checkResponse(value: unknown): void {
  if (!isResponse(value)) fail('it gave no answer with status, headers and body')
}

function isResponse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body } = value as Partial<Record<string, unknown>>
  const isStatus = Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599
  const isBody = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
  return isStatus && isObject(headers) && isBody
}

/** A JSON object. */
export function checkBody(value: unknown): asserts value is JsonObject {
  if (!isObject(value) || value instanceof Promise) fail('it gave no body')
}

export function checkForm(value: unknown): void {
  if (!Array.isArray(value) && !(value instanceof Uint8Array)) checkBody(value)
}

export function checkAnswer(value: unknown): void {
  if (isObject(value) && value['data'] instanceof Uint8Array) checkBinary(value)
  else checkBody(value)
}

export function checkBinary(value: unknown): void {
  checkBody(value)
  if (value['data'] instanceof Uint8Array && typeof value['mediaType'] !== 'string')
    fail('it gave bytes without their media type')
}
