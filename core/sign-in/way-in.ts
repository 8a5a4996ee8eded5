// Whether anybody but the super admin can get in. The password, passkeys and every provider can be switched off, each on its own page, on any
// node, and by a plugin: so it is asked within the transaction of the change, under one lock (app/locked-settings-sql.ts).
import { Op } from 'sequelize'
import { role } from '../contract/constants.ts'
import type { OptionService } from '../contract/options.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { AuthProvider } from '../contract/sign-in.ts'
import type { ChangeGuard } from '../kernel/options/option-changes.ts'
import { passkeys } from '../data/models/passkey.ts'
import { users } from '../data/models/user.ts'
import { noWayIn } from './sign-in-errors.ts'

export interface WayInDeps {
  options: OptionService & { ownerOf(key: string): string | undefined }
  database: DatabaseService
}

/** What is on at one moment. */
interface Ways {
  /** The password, or a provider. */
  isOpen: boolean
  /** Only for whoever made a passkey before. */
  byPasskey: boolean
}

export type Providers = readonly { owner: string; entry: Pick<AuthProvider, 'isEnabled'> }[]

/** @param off plugins that are switched off, whose methods this generation may still have */
export function waysIn(
  { options }: Pick<WayInDeps, 'options'>,
  providers: Providers,
  off: ReadonlySet<string>,
): Ways {
  // These options are plugins'; what is not declared is not there to sign in by.
  const isOn = (key: string) =>
    options.schemaOf(key) !== undefined &&
    !off.has(options.ownerOf(key) ?? '') &&
    options.get<boolean>(key)
  const isOpenBy = ({ owner, entry }: Providers[number]) => !off.has(owner) && entry.isEnabled()
  return {
    isOpen: isOn('PasswordLoginEnabled') || providers.some(isOpenBy),
    byPasskey: isOn('passkey.enabled'),
  }
}

/** No change may shut the last way. Where all are shut already, every change is let through. @throws sign_in.no_way_in */
export async function keepWayIn(
  { database }: WayInDeps,
  { before, after }: { before: Ways; after: Ways },
): Promise<void> {
  if (after.isOpen) return
  const hasPasskeys = (before.byPasskey || after.byPasskey) && (await othersHavePasskeys(database))
  const isOpen = (ways: Ways) => ways.isOpen || (ways.byPasskey && hasPasskeys)
  if (isOpen(before) && !isOpen(after)) throw noWayIn()
}

/** For options: switching one off is such a change. */
export function wayInGuard(deps: WayInDeps, providers: Providers): ChangeGuard {
  return ({ stored, changed }, off) => {
    const ways = () => waysIn(deps, providers, off)
    return keepWayIn(deps, { before: stored(ways), after: changed(ways) })
  }
}

async function othersHavePasskeys(database: DatabaseService): Promise<boolean> {
  const roots = await users(database).findAll({
    where: { role: { [Op.gte]: role.root } },
    attributes: ['id'],
  })
  const where = { user_id: { [Op.notIn]: roots.map((row) => row.get('id')) } }
  return (await passkeys(database).count({ where })) > 0
}
