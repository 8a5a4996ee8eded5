import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Text, errorType } from '../../contract/errors.ts'
import type { OptionUi } from '../../contract/options.ts'
import { jsonFaultIn } from '../../contract/json.ts'
import { faultWords, valueFaultWords } from '../fault-words.ts'

const optionInvalid = errorType<{ key: string; reason: string | Text }>(
  'options.invalid_value',
  400,
  {
    en: '{key} is not valid: {reason}',
    zh: '{key} 无效：{reason}',
  },
)

export function uiOf(schema: TSchema): OptionUi {
  return (schema['x-ui'] as OptionUi | undefined) ?? {}
}

/** Of each map and list the last one: a change is checked, tried, stored and read, and twenty thousand prices take 30 ms each time. */
const lastDecoded = new WeakMap<TSchema, { wire: string; value: object }>()

/** From the wire's string to the value that code sees.
 *  @throws options.invalid_value */
export function decodeOption(key: string, wire: string, schema: TSchema): unknown {
  const last = lastDecoded.get(schema)
  if (last?.wire === wire) return last.value
  const value = Object.freeze(convert(key, wire, schema))
  // Looking for the first fault takes twice as long as seeing that there is none.
  if (!Value.Check(schema, value)) throw invalidBy(schema, key, value)
  if (typeof value === 'object' && value !== null) lastDecoded.set(schema, { wire, value })
  return value
}

function invalidBy(schema: TSchema, key: string, value: unknown): Error {
  const fault = Value.Errors(schema, value).First()
  if (!fault) return optionInvalid({ key, reason: '' }, { field: key })
  const place = fault.path
    ? `${fault.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')}: `
    : ''
  const { en, zh } = valueFaultWords(fault)
  return optionInvalid({ key, reason: { en: place + en, zh: place + zh } }, { field: key })
}

/** From a value to the wire's string: booleans `true`, numbers shortest, maps and lists as JSON text. */
export function encodeOption(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function convert(key: string, wire: string, schema: TSchema): unknown {
  const choices = choicesOf(schema)
  if (choices) {
    const chosen = choices.find((choice) => String(choice) === wire)
    if (chosen !== undefined) return chosen
    throw optionInvalid({ key, reason: choices.join(' / ') }, { field: key })
  }
  switch (schema.type) {
    case 'string':
      return textOf(wire, uiOf(schema))
    case 'boolean':
      if (wire !== 'true' && wire !== 'false')
        throw optionInvalid({ key, reason: 'true / false' }, { field: key })
      return wire === 'true'
    case 'integer':
    case 'number': {
      const number = Number(wire)
      if (wire.trim() === '' || !Number.isFinite(number)) {
        const reason = faultWords('a number is expected', 'type', 'number')
        throw optionInvalid({ key, reason }, { field: key })
      }
      return number
    }
    default:
      return parseJson(key, wire)
  }
}

/** Blanks around a text on one line were pasted with it; those of a secret or of longer texts may be meant. */
function textOf(wire: string, { secret, url, widget }: OptionUi): string {
  if (secret || widget) return wire
  return url ? wire.trim().replace(/(?<!\/)\/+$/, '') : wire.trim()
}

/** Those of a union of literals. */
function choicesOf({ anyOf }: TSchema): readonly unknown[] | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined
  const constants = anyOf.map((branch: TSchema): unknown => branch.const)
  return constants.every((value) => value !== undefined) ? constants : undefined
}

/** A table may have thousands of lines. */
function faultInJson(wire: string): Text {
  const { line, column } = jsonFaultIn(wire) ?? { line: 1, column: 1 }
  return {
    en: `not a valid JSON string: line ${line}, column ${column}`,
    zh: `不是合法的 JSON 字符串：第 ${line} 行第 ${column} 列`,
  }
}

function parseJson(key: string, wire: string): unknown {
  try {
    return JSON.parse(wire)
  } catch (cause) {
    throw optionInvalid({ key, reason: faultInJson(wire) }, { field: key, cause })
  }
}
