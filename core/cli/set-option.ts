// `tollgate options set KEY VALUE`: for an operator who cannot get into the console, for instance because of a bot
// check with wrong keys.
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { requireDatabase } from './open-database.ts'
import { withGateway } from './with-gateway.ts'
import type { Print } from './print.ts'
import { errorText } from '../kernel/error-text.ts'

const USAGE =
  'Usage: tollgate options set KEY VALUE (- as VALUE reads it from the input, for secrets)'

/** Stores the value after the same checks as in the console. On SQLite the gateway must not be running; on PostgreSQL
 *  it is notified.
 *  @returns the exit code */
export async function setOption(
  args: readonly string[],
  print: Print,
  input: Readable = process.stdin,
): Promise<number> {
  const [key, given] = args
  if (key === undefined || given === undefined || args.length > 2) {
    print(USAGE)
    return 2
  }
  const value = given === '-' ? (await text(input)).replace(/\r?\n$/, '') : given
  await requireDatabase()
  return withGateway(async ({ services: { options } }) => {
    if (!options.schemaOf(key)) {
      print(
        `There is no option "${key}": docs/options.md lists them. A plugin that is off has none.`,
      )
      return 1
    }
    try {
      await options.set(key, value, { id: 0, username: '', origin: 'terminal' })
    } catch (error) {
      print(errorText(error))
      return 1
    }
    print(`${key} has been set.`)
    return 0
  })
}
