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
  /** Weak, so that the schemas of a generation are freed with it. */
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

  /** @throws Error if it is not a valid schema */
  validatorOf(schema: TSchema): ValidateFunction {
    if (typeof schema !== 'object') return this.#ajv.compile(schema)
    const known = this.#compiled.get(schema)
    if (known) return known
    const validate = this.#ajv.compile(schema)
    // Ajv would otherwise keep every schema for ever.
    this.#ajv.removeSchema(schema)
    this.#compiled.set(schema, validate)
    return validate
  }
}

const strict = new Validators(false)
const coercing = new Validators(true)

/** Query and path are text and are coerced; bodies are not. Violations become `request.invalid_field`. A schema is
 *  compiled at the first request: most routes of a generation get none, and the next generation has the same schemas. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiler = httpPart === 'body' || httpPart === undefined ? strict : coercing
  return (data: unknown) => {
    const validate = compiler.validatorOf(schema)
    if (!validate(data)) return { error: faultOf(validate.errors ?? [], httpPart ?? 'body') }
    return { value: data }
  }
}

/** The same for external plugins: errors in a schema must be reported when its route is added. */
export const compileAtOnce: FastifySchemaCompiler<TSchema> = (route) => {
  compileValidator(route)(undefined)
  return compileValidator(route)
}

function faultOf(errors: readonly ErrorObject[], part: string): Error {
  // Each branch of a union leaves an error; the last one is the union's own and says least.
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
