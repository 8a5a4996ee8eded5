import type { Static, TObject, TSchema } from '@sinclair/typebox'
import {
  DataTypes,
  type Model,
  type ModelAttributes,
  type ModelStatic,
  type Sequelize,
} from 'sequelize'
import type { DatabaseService } from '../../contract/services.ts'
import { storableText } from '../named-values.ts'
import { bindFoundTexts } from './bound-values.ts'

/** A table's model: its rows as the schema states them, on both databases. */
export type Table<Row extends object> = ModelStatic<Model<Row, Partial<Row>>>

/** The model of a table in a database; each database has one. */
export type TableOf<Row extends object> = (
  database: Pick<DatabaseService, 'sequelize'>,
) => Table<Row>

type ColumnKind = 'text' | 'integer' | 'number' | 'boolean' | 'time'

/** The Sequelize model of a row schema. Integers have 64 bits, booleans are booleans on SQLite too, and texts are what
 *  both databases can store. `keys` are the primary key; the database chooses an integer key, and the values of columns
 *  that a new row leaves out. Which columns may be null, only the database knows. */
export function defineModel<Schema extends TObject>(
  table: string,
  schema: Schema,
  keys: readonly (keyof Static<Schema> & string)[],
): TableOf<Static<Schema>> {
  const known = new WeakMap<Sequelize, Table<Static<Schema>>>()
  return ({ sequelize }) => {
    const present = known.get(sequelize)
    if (present !== undefined) return present
    const model = sequelize.define<Model<Static<Schema>, Partial<Static<Schema>>>>(
      table,
      attributesOf(schema, keys) as ModelAttributes<Model<Static<Schema>>, Partial<Static<Schema>>>,
      { tableName: table, timestamps: false },
    )
    bindFoundTexts(model)
    known.set(sequelize, model)
    return model
  }
}

function attributesOf(schema: TObject, keys: readonly string[]): ModelAttributes {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, column]) => {
      const kind = kindOf(column)
      const isKey = keys.includes(name)
      const key = isKey ? { primaryKey: true, autoIncrement: kind === 'integer' } : {}
      const fallback = column.default === undefined ? {} : { defaultValue: column.default }
      return [name, { ...attributeOf(name, kind), ...fallback, ...key }]
    }),
  )
}

function attributeOf(name: string, kind: ColumnKind) {
  if (kind === 'integer') return { type: DataTypes.BIGINT }
  if (kind === 'number') return { type: DataTypes.DOUBLE }
  if (kind === 'time') return { type: DataTypes.DATE }
  if (kind === 'boolean') {
    return {
      type: DataTypes.BOOLEAN,
      // SQLite returns 0 and 1.
      get(this: Model): boolean {
        return Boolean(this.getDataValue(name))
      },
    }
  }
  return {
    type: DataTypes.TEXT,
    set(this: Model, value: unknown): void {
      this.setDataValue(name, typeof value === 'string' ? storableText(value) : value)
    },
  }
}

/** The columns with their SQL types, for statements that take rows as values. */
export function columnTypes<Schema extends TObject>(
  schema: Schema,
): Record<keyof Static<Schema> & string, 'text' | 'bigint' | 'boolean'> {
  const types = { text: 'text', integer: 'bigint', boolean: 'boolean' } as const
  const entries = Object.entries(schema.properties).map(([name, column]) => {
    const kind = kindOf(column)
    if (kind === 'number' || kind === 'time') throw new Error(`No batch takes a ${kind} yet`)
    return [name, types[kind]] as const
  })
  return Object.fromEntries(entries) as ReturnType<typeof columnTypes<Schema>>
}

/** The T of `T | null`. */
function filled(column: TSchema): TSchema {
  const choices: readonly TSchema[] = column.anyOf ?? [column]
  return choices.find(({ type }) => type !== 'null') ?? column
}

function kindOf(column: TSchema): ColumnKind {
  const { type } = filled(column)
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'Date') return 'time'
  throw new Error(`A column of type ${String(type)} has no place in a model yet`)
}

/** Rows as services and the wire use them, without Sequelize's own fields. */
export function plainRows<Row extends object, New extends object>(
  rows: readonly Model<Row, New>[],
): Row[] {
  return rows.map((row) => row.get({ plain: true }))
}

/** A row of defaults, for a schema in which every column has one. */
export function defaultsOf<Schema extends TObject>(schema: Schema): Static<Schema> {
  const given = Object.entries(schema.properties)
    .filter(([, column]) => column.default !== undefined)
    .map(([name, column]) => [name, column.default] as const)
  return Object.fromEntries(given) as Static<Schema>
}
