// `tollgate account reset NAME`: for an account that cannot sign in, such as the super admin without authenticator,
// passkeys and recovery codes.
import { manageRow } from '../contract/manage-row.ts'
import { requireDatabase } from './open-database.ts'
import { withGateway } from './with-gateway.ts'
import type { Print } from './print.ts'

const USAGE = 'Usage: tollgate account reset NAME (a user name or an e-mail address)'
const PASSWORD_LENGTH = 20

/** Sets a new password and removes second factors, sessions and the system access token. On SQLite the gateway must not
 *  be running.
 *  @returns the exit code */
export async function resetAccount(args: readonly string[], print: Print): Promise<number> {
  const [name] = args
  if (name === undefined || args.length > 1) {
    print(USAGE)
    return 2
  }
  await requireDatabase()
  return withGateway(async ({ services: { accounts, factors, logs, secrets } }) => {
    const user = await accounts.findByLogin(name)
    if (!user) {
      print(`There is no account "${name}".`)
      return 1
    }
    const password = secrets.random(PASSWORD_LENGTH)
    await accounts.update(user.id, { password, password_made: true })
    await factors.removeAll(user.id)
    const content = 'Password and second factors reset by the operator'
    logs.write(manageRow(user, content, { op: 'account_reset' }))
    print(`${user.username} signs in with the password ${password} and no second factor.`)
    return 0
  })
}
