import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
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

class Validators {
  readonly #ajv: Ajv
  /** A generation's own schemas go with it. */
  readonly #compiled = new WeakMap<object, ValidateFunction>()

  constructor(coerceTypes: boolean) {
    this.#ajv = new Ajv({
      coerceTypes,
      useDefaults: true,
      removeAdditional: false,
      allErrors: false,
      strict: false,
      allowUnionTypes: true,
    })
    this.#ajv.addKeyword('x-ui')
  }

  /** @throws Error when it is no schema */
  validatorOf(schema: TSchema): ValidateFunction {
    if (typeof schema !== 'object') return this.#ajv.compile(schema)
    const known = this.#compiled.get(schema)
    if (known) return known
    const validate = this.#ajv.compile(schema)
    // It would keep each for ever.
    this.#ajv.removeSchema(schema)
    this.#compiled.set(schema, validate)
    return validate
  }
}

const strict = new Validators(false)
const coercing = new Validators(true)

/** Query and path are text, so they are coerced; a body says what it means. Faults come out as `request.invalid_field`. A schema is compiled when
 *  the first call comes: most routes of a generation get none, and the next generation has the same ones. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiler = httpPart === 'body' || httpPart === undefined ? strict : coercing
  return (data: unknown) => {
    const validate = compiler.validatorOf(schema)
    if (!validate(data)) return { error: faultOf(validate.errors ?? [], httpPart ?? 'body') }
    return { value: data }
  }
}

/** The same for a plugin from outside: what is wrong with its schema is told when its route is added. */
export const compileAtOnce: FastifySchemaCompiler<TSchema> = (route) => {
  compileValidator(route)(undefined)
  return compileValidator(route)
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
