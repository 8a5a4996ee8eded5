import { AppError } from '../contract/errors.ts'
import { isObject, objectIn } from '../contract/json.ts'
import type { OptionService } from '../contract/options.ts'
import type { Family } from './family.ts'
import type { ImportReport } from './import-report.ts'
import type { OldRow } from './old-row.ts'

interface OptionDeps {
  options: OptionService
  report: ImportReport
  family: Family
}

/** Sets the options that exist here. One that is refused is tried again once the others are set, because a switch needs the id that it switches
 *  on for; one that is still refused is left out.
 *  @returns the values as they stood there, by their names here */
export async function importOptions(
  { options, report, family }: OptionDeps,
  rows: AsyncIterable<OldRow>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(family.optionNames.map((name) => [name.there, name.here]))
  const values = new Map<string, string>()
  const there = new Map<string, string>()
  for await (const row of rows) {
    const given = row.text('key')
    const key = names.get(given) ?? given
    there.set(key, row.text('value'))
    const schema = options.schemaOf(key)
    const isAdded = family.addedTables.includes(key)
    if (schema)
      values.set(key, isAdded ? addedTo(schema.default, row.text('value')) : row.text('value'))
    else report.leaveOut('options', 'there is no such option here', key)
  }
  const first = await setSound(options, values)
  report.take('options', values.size - first.size)
  for (const key of first.keys()) {
    const refused = await setSound(options, new Map([[key, values.get(key) ?? '']]))
    const reason = refused.get(key)
    if (reason === undefined) report.take('options')
    else report.leaveOut('options', reason, key)
  }
  return there
}

/** The table with what the built-in one has beside it. */
function addedTo(builtIn: unknown, text: string): string {
  const table = objectIn(text) ?? {}
  if (!isObject(builtIn) || Object.keys(table).length === 0) return text
  return JSON.stringify({ ...builtIn, ...table })
}

/** Sets all but those that are refused.
 *  @returns why each of these is */
async function setSound(
  options: OptionService,
  values: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const sound = new Map(values)
  const refused = new Map<string, string>()
  while (sound.size > 0) {
    try {
      await options.setMany(Object.fromEntries(sound), { id: 0, username: '', origin: 'terminal' })
      return refused
    } catch (error) {
      const key = error instanceof AppError ? faulty(error, sound) : undefined
      if (key === undefined) throw error
      sound.delete(key)
      refused.set(key, (error as AppError).message)
    }
  }
  return refused
}

/** The option that the error blames. */
function faulty({ field, values: facts }: AppError, values: ReadonlyMap<string, string>) {
  const named = [field, ...Object.values(facts)].map(String)
  return named.find((name) => values.has(name))
}
