// The address that an upstream calls about a task. Whoever knows it can end the task and get its charge back. Upstreams
// show it beside what else they know of the task, so it is taken out of everything that they say.
import type { OptionReader } from '../contract/adapter.ts'
import type { TaskPlatform } from '../contract/task.ts'

export const hookSecretLength = 43
const secret = /^[0-9A-Za-z]{1,43}/
const mask = '***'

/** Undefined where the platform takes no callbacks, or the gateway does not know its own address. */
export function hookAddress(
  platform: TaskPlatform,
  options: OptionReader,
  hookSecret: string,
): string | undefined {
  const address = options.get<string>('ServerAddress')
  const beginning = beginningOf(platform)
  if (hookSecret === '' || address === '' || beginning === undefined) return undefined
  return `${address}${beginning}${hookSecret}`
}

/** Masks the secrets of all hook addresses of the platform, those of other tasks too. */
export function withoutHookSecrets(platform: TaskPlatform): (text: string) => string {
  const beginning = beginningOf(platform)
  if (beginning === undefined) return (text) => text
  return (text) => {
    const [before = '', ...pieces] = text.split(beginning)
    return [before, ...pieces.map((piece) => piece.replace(secret, mask))].join(beginning)
  }
}

function beginningOf({ routes }: TaskPlatform): string | undefined {
  const path = routes.find(({ kind }) => kind === 'callback')?.paths[0]
  return path === undefined ? undefined : `${path}?key=`
}
