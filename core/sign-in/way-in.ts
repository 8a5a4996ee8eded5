// Whether anybody but the super admin can get in. The password, passkeys and every provider can be switched off, each on its own page.
import { Op } from 'sequelize'
import { role } from '../contract/constants.ts'
import type { OptionService } from '../contract/options.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { AuthProvider } from '../contract/sign-in.ts'
import { passkeys } from '../data/models/passkey.ts'
import { users } from '../data/models/user.ts'
import { noWayIn } from './sign-in-errors.ts'

export interface WayInDeps {
  options: OptionService
  database: DatabaseService
}

/** What is on at one moment. */
interface Ways {
  /** The password, or a provider. */
  isOpen: boolean
  /** Only for whoever made a passkey before. */
  byPasskey: boolean
}

export type Providers = readonly Pick<AuthProvider, 'isEnabled'>[]

export function waysIn(options: OptionService, providers: Providers): Ways {
  return {
    isOpen: isOn(options, 'PasswordLoginEnabled') || providers.some((one) => one.isEnabled()),
    byPasskey: isOn(options, 'passkey.enabled'),
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
export function wayInGuard(deps: WayInDeps, providers: Providers) {
  const ways = () => waysIn(deps.options, providers)
  return (after: <T>(read: () => T) => T) => keepWayIn(deps, { before: ways(), after: after(ways) })
}

/** These options are plugins'; what is not declared is not there to sign in by. */
function isOn(options: OptionService, key: string): boolean {
  return options.schemaOf(key) !== undefined && options.get<boolean>(key)
}

async function othersHavePasskeys(database: DatabaseService): Promise<boolean> {
  const roots = await users(database).findAll({
    where: { role: { [Op.gte]: role.root } },
    attributes: ['id'],
  })
  const where = { user_id: { [Op.notIn]: roots.map((row) => row.get('id')) } }
  return (await passkeys(database).count({ where })) > 0
}
