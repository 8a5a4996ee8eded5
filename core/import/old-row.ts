import type { ImportedRow } from '../contract/imports.ts'
import { type JsonObject, objectIn } from '../contract/json.ts'

/** Reads the values that SQLite, PostgreSQL and MySQL return for the same column: numbers as texts, texts as bytes, 0 and 1 for booleans. */
export class OldRow implements ImportedRow {
  readonly #values: ReadonlyMap<string, unknown>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = new Map(Object.entries(values))
  }

  text(column: string): string {
    // PostgreSQL stores no NUL.
    return this.#textOf(column).replaceAll('\0', '')
  }

  #textOf(column: string): string {
    const value = this.#values.get(column)
    if (typeof value === 'string') return value
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
    if (value instanceof Date) return value.toISOString()
    // PostgreSQL and MySQL parse columns of JSON.
    if (typeof value === 'object' && value !== null) return JSON.stringify(value)
    const isPlain = ['number', 'bigint', 'boolean'].includes(typeof value)
    return isPlain ? String(value) : ''
  }

  /** The JSON object in the column; empty for anything else. */
  object(column: string): JsonObject {
    return objectIn(this.text(column)) ?? {}
  }

  whole(column: string): number {
    const number = Math.trunc(this.number(column))
    return Number.isSafeInteger(number) ? number : 0
  }

  /** Whether `whole` is 0 only because the number is too large. */
  isBeyond(column: string): boolean {
    return !Number.isSafeInteger(Math.trunc(this.number(column)))
  }

  /** 0 if it is null, missing or no number. */
  number(column: string): number {
    const value = this.text(column).trim()
    const number = value === 'true' ? 1 : Number(value === '' ? 0 : value)
    return Number.isFinite(number) ? number : 0
  }

  isTrue(column: string): boolean {
    return this.number(column) !== 0
  }
}
