import { literal, type Model, type ModelStatic, Op } from 'sequelize'
import { isObject } from '../../contract/json.ts'
import { storableText } from '../named-values.ts'

/** The values of one statement by name. A class, because Sequelize copies plain objects without the values that are added later. */
class BoundValues {
  [name: string]: unknown
}

type Bind = (text: string) => ReturnType<typeof literal>

/** Sequelize binds values that it inserts and updates, but writes texts in conditions into the statement. Here those of
 *  finds, counts and deletions are bound as well: texts, and lists of texts, that a column must equal. Other
 *  comparisons of texts must be written as SQL, with `bind` for their values. */
export function bindFoundTexts<Row extends Model>(model: ModelStatic<Row>): void {
  model.addHook('beforeFindAfterOptions', bindTexts)
  model.addHook('beforeCount', bindTexts)
  model.addHook('beforeBulkDestroy', bindTexts)
}

function bindTexts(options: { where?: unknown; bind?: unknown }): void {
  const bind = Object.assign(new BoundValues(), options.bind)
  let count = 0
  const where = boundConditions(options.where, (text) => {
    count += 1
    bind[`found${count}`] = storableText(text)
    return literal(`$found${count}`)
  })
  if (count > 0) Object.assign(options, { where, bind })
}

/** Conditions by column, also inside AND and OR; everything else is unchanged. */
function boundConditions(where: unknown, bind: Bind): unknown {
  if (Array.isArray(where)) return where.map((part) => boundConditions(part, bind))
  if (!isPlain(where)) return where
  return Object.fromEntries(
    Reflect.ownKeys(where).map((key) => {
      const value = where[key]
      return [key, typeof key === 'string' ? boundValue(value, bind) : boundConditions(value, bind)]
    }),
  )
}

function boundValue(value: unknown, bind: Bind): unknown {
  if (typeof value === 'string') return { [Op.eq]: bind(value) }
  if (!Array.isArray(value)) return value
  return { [Op.in]: value.map((item: unknown) => (typeof item === 'string' ? bind(item) : item)) }
}

function isPlain(value: unknown): value is Record<string | symbol, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype
}
