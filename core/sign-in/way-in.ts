// Whether anybody but the super admin can sign in. The password, passkeys and each provider can be switched off on
// different pages, on different nodes and with their plugins. The check therefore runs in the transaction of the
// change, under one lock (app/locked-settings-sql.ts).
import { Op } from 'sequelize'
import { role } from '../contract/constants.ts'
import { optionOr, type OptionService } from '../contract/options.ts'
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

/** The methods that are enabled at one moment. */
interface Ways {
  /** Whether the password or a provider can be used. */
  isOpen: boolean
  /** Whether users with a passkey can sign in. */
  byPasskey: boolean
}

export type Providers = readonly { owner: string; entry: Pick<AuthProvider, 'isEnabled'> }[]

/** The methods of a generation.
 *  @param off plugins that are being switched off; this generation may still contain their methods */
export function waysIn(
  { options }: Pick<WayInDeps, 'options'>,
  providers: Providers,
  off: ReadonlySet<string>,
): Ways {
  // These options belong to plugins. Without the plugin the method does not exist.
  const isOn = (key: string) =>
    !off.has(options.ownerOf(key) ?? '') && optionOr(options, key, false)
  const isOpenBy = ({ owner, entry }: Providers[number]) => !off.has(owner) && entry.isEnabled()
  return {
    isOpen: isOn('PasswordLoginEnabled') || providers.some(isOpenBy),
    byPasskey: isOn('passkey.enabled'),
  }
}

/** Refuses a change that would disable the last method. If all are disabled already, every change is allowed.
 *  @throws sign_in.no_way_in */
export async function keepWayIn(
  { database }: WayInDeps,
  { before, after }: { before: Ways; after: Ways },
): Promise<void> {
  if (after.isOpen) return
  const hasPasskeys = (before.byPasskey || after.byPasskey) && (await othersHavePasskeys(database))
  const isOpen = (ways: Ways) => ways.isOpen || (ways.byPasskey && hasPasskeys)
  if (isOpen(before) && !isOpen(after)) throw noWayIn()
}

/** The guard of option changes, which may disable a method. */
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
