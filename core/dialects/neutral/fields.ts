// Typed reading of a client's JSON body. `null` counts as absent, as in all four dialects; a wrong type is reported with the field's name.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { requestInvalid } from './request-errors.ts'

export class Fields {
  readonly body: JsonObject
  readonly path: string

  constructor(body: JsonObject, path = '') {
    this.body = body
    this.path = path
  }

  /** The field's full name for messages: `messages[2].content`. */
  name(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`
  }

  text(key: string): string | undefined {
    return this.#read(key, 'a string', (value) => typeof value === 'string')
  }

  requiredText(key: string): string {
    const text = this.text(key)
    if (text === undefined || text === '') throw requestInvalid(this.name(key), 'is required')
    return text
  }

  number(key: string): number | undefined {
    return this.#read(key, 'a number', (value) => typeof value === 'number')
  }

  /** A count of tokens, choices and the like. */
  count(key: string): number | undefined {
    const value = this.number(key)
    // 2^30 - 1 is the limit that clients know from one-api.
    if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > 1_073_741_823)) {
      throw requestInvalid(this.name(key), `${key} is invalid`)
    }
    return value
  }

  flag(key: string): boolean | undefined {
    return this.#read(key, 'true or false', (value) => typeof value === 'boolean')
  }

  object(key: string): JsonObject | undefined {
    return this.#read(key, 'an object', isObject)
  }

  list(key: string): unknown[] | undefined {
    return this.#read(key, 'a list', Array.isArray)
  }

  /** Objects of a list, each with its own path. */
  items(key: string): Fields[] {
    return (this.list(key) ?? []).map((item, index) => {
      const name = `${this.name(key)}[${index}]`
      if (!isObject(item)) throw requestInvalid(name, 'must be an object')
      return new Fields(item, name)
    })
  }

  inside(key: string): Fields | undefined {
    const value = this.object(key)
    return value === undefined ? undefined : new Fields(value, this.name(key))
  }

  texts(key: string): string[] | undefined {
    const list = this.list(key)
    if (list?.some((item) => typeof item !== 'string')) {
      throw requestInvalid(this.name(key), 'must be a list of strings')
    }
    return list as string[] | undefined
  }

  /** Texts of a list that SDKs send empty where nothing was set; no provider takes it so. */
  someTexts(key: string): string[] | undefined {
    const texts = this.texts(key)
    return texts?.length === 0 ? undefined : texts
  }

  #read<T>(key: string, expected: string, isRight: (value: unknown) => boolean): T | undefined {
    const value = this.body[key]
    if (value === undefined || value === null) return undefined
    if (!isRight(value)) throw requestInvalid(this.name(key), `must be ${expected}`)
    return value as T
  }
}

/** Drops members that are undefined. */
export function compact(object: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) result[key] = value
  }
  return result
}
