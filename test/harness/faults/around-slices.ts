import type { DatabaseService } from '../../../core/contract/services.ts'

/** A database that runs a function around each slice of long work. */
export function aroundSlices<Database extends Pick<DatabaseService, 'slices'>>(
  database: Database,
  around: <T>(take: () => Promise<T>) => Promise<T>,
): Database {
  const slices: DatabaseService['slices'] = (limits) => {
    const own = database.slices(limits)
    return {
      get rows() {
        return own.rows
      },
      take: (work) => around(() => own.take(work)),
    }
  }
  return { ...database, slices }
}
