// Finds routes that could answer for somebody else's addresses. A router only detects equal routes, not that one of
// them takes precedence over another.

interface Noted {
  method: string
  url: string
  parts: readonly string[]
  owner: string
}

/** The rest of the path, whatever it is. */
const REST = '*'

export class RouteConflicts {
  readonly #pages: readonly Noted[]
  /** By owner, because routes of one owner may overlap, and there may be thousands. */
  readonly #routes = new Map<string, Noted[]>()
  /** Read only when an external route is added, since most gateways have no external plugins. */
  #unread: { methods: readonly string[]; url: string; owner: string }[] = []

  /** @param pages path patterns of the console's pages, which one route serves */
  constructor(pages: readonly string[]) {
    this.#pages = pages.flatMap((page) => noted('GET', page, 'console'))
  }

  note(methods: readonly string[], url: string, owner: string): void {
    // The console's catch-all route serves only what no other route does.
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

/** A route with an optional last part counts as two. */
function noted(method: string, url: string, owner: string): Noted[] {
  const parts = url.split('/').slice(1).map(partOf)
  const last = url.split('/').at(-1) ?? ''
  const whole = { method, url, parts: parts.at(-1) === '' ? parts.slice(0, -1) : parts, owner }
  return last.startsWith(':') && last.endsWith('?')
    ? [whole, { ...whole, parts: parts.slice(0, -1) }]
    : [whole]
}

/** One part of a path: `:` for any name, `*` for the rest. */
function partOf(text: string): string {
  if (text.includes('*') && !text.includes(':')) return REST
  return text.includes(':') ? ':' : text.toLowerCase()
}

/** Whether some address matches both. */
function meet(left: readonly string[], right: readonly string[]): boolean {
  for (let place = 0; ; place += 1) {
    const [a, b] = [left[place], right[place]]
    if (a === REST || b === REST) return true
    if (a === undefined || b === undefined) return a === b
    if (a !== b && a !== ':' && b !== ':') return false
  }
}
