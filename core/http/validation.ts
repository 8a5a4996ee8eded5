import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import { type Text, errorType } from '../contract/errors.ts'
import { faultWords } from '../kernel/fault-words.ts'

export const fieldInvalid = errorType<{ field: string; reason: string | Text }>(
  'request.invalid_field',
  400,
  { en: '{field}: {reason}', zh: '{field}：{reason}' },
  { relay: 'invalid_request' },
)

const strict = createAjv(false)
const coercing = createAjv(true)

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: false,
    strict: false,
    allowUnionTypes: true,
  })
  ajv.addKeyword('x-ui')
  return ajv
}

/** Query and path are text, so they are coerced; a body says what it means. Faults come out as `request.invalid_field`. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' || httpPart === undefined ? strict : coercing).compile(
    schema,
  )
  return (data: unknown) => {
    if (!validate(data)) return { error: faultOf(validate.errors ?? [], httpPart ?? 'body') }
    return { value: data }
  }
}

function faultOf(errors: readonly ErrorObject[], part: string): Error {
  // The branches of a union each leave an error; the last one is the union's own and says least.
  const fault =
    errors.find((error) => error.keyword !== 'anyOf' && error.keyword !== 'const') ?? errors[0]
  if (!fault)
    return fieldInvalid({ field: part, reason: faultWords('is not valid', '', undefined) })
  const path = fault.instancePath.slice(1).replaceAll('/', '.')
  const missing =
    fault.keyword === 'required'
      ? String((fault.params as { missingProperty?: unknown }).missingProperty)
      : ''
  const field = [path, missing].filter(Boolean).join('.') || (part === 'body' ? 'body' : part)
  const message = missing ? 'is required' : (fault.message ?? 'is not valid')
  const params: Record<string, unknown> = fault.params
  const reason = faultWords(message, fault.keyword, params['limit'] ?? params[fault.keyword])
  return fieldInvalid({ field, reason }, { field })
}
