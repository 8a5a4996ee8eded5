import { AppError } from '../contract/errors.ts'
import type { OptionService } from '../contract/options.ts'
import type { ImportReport } from './import-report.ts'
import type { OldRow } from './old-row.ts'

/** Sets the options that exist here, all together: a switch may need an id and a secret that are set with it. One that is refused is left
 *  out, and the others are tried again. */
export async function importOptions(
  options: OptionService,
  rows: AsyncIterable<OldRow>,
  report: ImportReport,
): Promise<void> {
  const values = new Map<string, string>()
  for await (const row of rows) {
    const key = row.text('key')
    if (options.schemaOf(key)) values.set(key, row.text('value'))
    else report.leaveOut('options', 'there is no such option here', key)
  }
  while (values.size > 0) {
    try {
      await options.setMany(Object.fromEntries(values), { id: 0, username: '', origin: 'terminal' })
      return report.take('options', values.size)
    } catch (error) {
      const key = error instanceof AppError ? faulty(error, values) : undefined
      if (key === undefined) throw error
      values.delete(key)
      report.leaveOut('options', (error as AppError).message, key)
    }
  }
}

/** The option that the error blames. */
function faulty({ field, values: facts }: AppError, values: ReadonlyMap<string, string>) {
  const named = [field, ...Object.values(facts)].map(String)
  return named.find((name) => values.has(name))
}
