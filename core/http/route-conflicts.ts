// Whose addresses a route could answer for. A router tells only two equal routes apart, not that one is found before the other.

interface Noted {
  method: string
  url: string
  parts: readonly string[]
  owner: string
}

/** All there is after this name. */
const REST = '*'

export class RouteConflicts {
  readonly #pages: readonly Noted[]
  /** By owner, because routes of one owner do not conflict with each other and may number thousands. */
  readonly #routes = new Map<string, Noted[]>()
  /** Evaluated only when an external route is added: most gateways run no external plugins. */
  #unread: { methods: readonly string[]; url: string; owner: string }[] = []

  /** @param pages patterns of the console's pages, which one route serves */
  constructor(pages: readonly string[]) {
    this.#pages = pages.flatMap((page) => noted('GET', page, 'console'))
  }

  note(methods: readonly string[], url: string, owner: string): void {
    // The console's catch-all route serves only what nobody else does.
    if (url !== '/*') this.#unread.push({ methods, url, owner })
  }

  /** @throws Error naming the owner of the route that would be shadowed */
  refuse(methods: readonly string[], url: string, owner: string): void {
    this.#read()
    for (const own of methods.flatMap((method) => noted(method, url, owner))) {
      const page =
        own.method === 'GET' || own.method === 'HEAD' ? this.#find(own, this.#pages) : undefined
      if (page)
        throw new Error(
          `${own.method} ${url} would take the place of the console's page ${page.url}; begin it with /api/${owner}`,
        )
      const other = this.#foreign(own)
      if (other)
        throw new Error(
          `${own.method} ${url} would answer for ${other.url} of "${other.owner}"; begin it with /api/${owner}`,
        )
    }
  }

  #read(): void {
    for (const { methods, url, owner } of this.#unread) {
      const own = this.#routes.get(owner) ?? []
      this.#routes.set(owner, own)
      for (const method of methods) own.push(...noted(method, url, owner))
    }
    this.#unread = []
  }

  #foreign(own: Noted): Noted | undefined {
    for (const [owner, routes] of this.#routes) {
      const other = owner === own.owner ? undefined : this.#find(own, routes)
      if (other) return other
    }
    return undefined
  }

  #find(own: Noted, others: readonly Noted[]): Noted | undefined {
    return others.find(
      (other) =>
        (other.method === own.method || other.owner === 'console') && meet(own.parts, other.parts),
    )
  }
}

/** A route with an optional end is two. */
function noted(method: string, url: string, owner: string): Noted[] {
  const parts = url.split('/').slice(1).map(partOf)
  const last = url.split('/').at(-1) ?? ''
  const whole = { method, url, parts: parts.at(-1) === '' ? parts.slice(0, -1) : parts, owner }
  return last.startsWith(':') && last.endsWith('?')
    ? [whole, { ...whole, parts: parts.slice(0, -1) }]
    : [whole]
}

/** Undefined stands nowhere: `:` for any name, `*` for all that follows. */
function partOf(text: string): string {
  if (text.includes('*') && !text.includes(':')) return REST
  return text.includes(':') ? ':' : text.toLowerCase()
}

/** Whether some address fits both. */
function meet(left: readonly string[], right: readonly string[]): boolean {
  for (let place = 0; ; place += 1) {
    const [a, b] = [left[place], right[place]]
    if (a === REST || b === REST) return true
    if (a === undefined || b === undefined) return a === b
    if (a !== b && a !== ':' && b !== ':') return false
  }
}
