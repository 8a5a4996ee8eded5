import { errorType } from '../../contract/errors.ts'

const secretNeeded = errorType<{ key: string; field: string }>('options.secret_needed', 400, {
  en: '{field} is sent to the address in {key}: to change that, enter {field} again, or clear it first.',
  zh: '{field} 会发送到 {key} 中的地址：更改该地址时请重新填写 {field}，或先将其清空。',
})

interface BoundSecret {
  secret: string
  hosts: readonly string[]
}

/** For the calls of one form, and a second press of its button. */
const ENTERED_MS = 120_000

/** Remembers who has just entered a secret, and so knows it. Older consoles save a form with one call per option, e.g. OIDC's token address
 *  after the secret that is sent there, and cannot send both together. In this process only: elsewhere the secret must be entered again. */
export class EnteredSecrets {
  readonly #entered = new Map<string, { by: number; sealed: string; untilMs: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  note(key: string, sealed: string, by: number): void {
    this.#entered.set(key, { by, sealed, untilMs: this.#now() + ENTERED_MS })
  }

  /** `sealed`: the value that is stored now. Somebody else may have entered another since, also on another node. */
  knows(key: string, sealed: string, by: number | undefined): boolean {
    const entry = this.#entered.get(key)
    if (entry === undefined || this.#now() >= entry.untilMs) return false
    return entry.by === by && entry.sealed === sealed
  }
}

/** A secret that nobody can read must not be revealed by having it sent elsewhere: an option that says where a stored secret goes
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

/** Scheme, host and port of a URL; any other text that names a host counts as a whole. */
function hostOf(value: string): string {
  return URL.canParse(value) && value.includes('://') ? new URL(value).origin : value.trim()
}
