import table from './route-access.json' with { type: 'json' }

/** What a route states as its access; `key`: one of the relay, which looks at a key itself; `open`: for everybody. */
export type Level = Exclude<keyof typeof table, 'proof'>

const levels = Object.keys(table).filter((name): name is Level => name !== 'proof')

export const routeRows = levels.flatMap((level) => table[level].map((route) => ({ level, route })))

/** Which only a session may call that has lately shown who sits there. */
export const provedRoutes: ReadonlySet<string> = new Set(table.proof)
