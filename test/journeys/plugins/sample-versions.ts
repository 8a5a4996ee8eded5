// Versions of one plugin, as sources of its module.
interface Traits {
  /** Further keys of the manifest. */
  rest?: string
  services?: string
  /** Of `server`, first. */
  start?: string
}

function source(
  version: string,
  { rest = '', services = `'routes', 'database'`, start = '' }: Traits = {},
): string {
  return `
import { defineOptions, definePlugin, envelope, Type } from 'tollgate'
export default definePlugin({
  id: 'acme',
  version: '${version}',
  contract: '^1.3',
  summary: { en: 'Acme', zh: '艾克米' },
  asks: { services: [${services}], routes: ['/api/acme'] },
  server({ routes, database }) {
    ${start}
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'public' } }, () => envelope('${version}'))
    })
  },
  ${rest}
})
`
}

const steps = [
  `{ id: 'acme-0001-start', up: async ({ run, prefix }) => void (await run('CREATE TABLE ' + prefix + 'rows (id BIGINT)')) }`,
  `{ id: 'acme-0002-word', up: async ({ run, prefix }) => void (await run('ALTER TABLE ' + prefix + 'rows ADD COLUMN word TEXT')) }`,
]
const option = `options: defineOptions({ AcmeWord: Type.String({ default: 'none' }) }),`

/** With a table and an option. */
export const first = source('1.0.0', { rest: `migrations: [${steps[0]}], ${option}` })
/** Changes the table. */
export const second = source('2.0.0', { rest: `migrations: [${steps.join(', ')}], ${option}` })
/** Does not start. */
export const broken = source('3.0.0', { start: `throw new Error('out of order')` })
/** Asks for more. */
export const greedy = source('4.0.0', { services: `'routes', 'database', 'ledger'` })
