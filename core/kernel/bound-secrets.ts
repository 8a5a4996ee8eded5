import { errorType } from '../contract/errors.ts'

const secretNeeded = errorType<{ key: string; field: string }>('options.secret_needed', 400, {
  en: '{field} is sent to the address in {key}: to change that, enter {field} again, or clear it first.',
  zh: '{field} 会发送到 {key} 中的地址：更改该地址时请重新填写 {field}，或先将其清空。',
})

interface BoundSecret {
  secret: string
  hosts: readonly string[]
}

/** A secret that nobody can read must not be readable by having it sent elsewhere: an option that says where a stored secret goes
 *  changes only together with that secret. An empty value sends it nowhere. Values are wire strings.
 *  @throws options.secret_needed */
export function checkBoundSecrets(
  changes: ReadonlyMap<string, string>,
  { bound, wire }: { bound: readonly BoundSecret[]; wire: (key: string) => string },
): void {
  for (const { secret, hosts } of bound) {
    if (changes.has(secret)) continue
    for (const key of hosts) {
      const next = changes.get(key)
      if (next === undefined || next === '' || hostOf(next) === hostOf(wire(key))) continue
      throw secretNeeded({ key, field: secret }, { field: secret })
    }
  }
}

/** Scheme, host and port of a URL; whatever else names a host counts as a whole. */
function hostOf(value: string): string {
  return URL.canParse(value) && value.includes('://') ? new URL(value).origin : value.trim()
}
