import type { MigrationContext } from '../migrate.ts'

/** What the texts of rows begin with that are no calls: a search would read the whole log. Errors may be long, an entry of an index may not. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const beginning = 'lower(substr(content, 1, 64))'
  const ordered = dialect === 'postgres' ? `(${beginning} COLLATE "C")` : beginning
  await run(`CREATE INDEX logs_beginning ON logs (${ordered}) WHERE type <> 2`)
}
