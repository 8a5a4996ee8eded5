// Everybody who may knock: nobody, a customer, an admin, the super admin, and the holder of a relay key.
import { addCustomer, ApiClient, type App, type Customer, rootAccount } from '#test'
import { customerPassword } from '../harness/shop.ts'

export interface FuzzCaller {
  name: string
  headers(): Record<string, string>
  /** A call may have ended the caller's own session, or account. */
  renew(): Promise<void>
}

class SignedIn implements FuzzCaller {
  readonly name: string
  readonly #join: () => Promise<ApiClient>
  #client: ApiClient

  constructor(name: string, client: ApiClient, join: () => Promise<ApiClient>) {
    this.name = name
    this.#client = client
    this.#join = join
  }

  headers(): Record<string, string> {
    return { cookie: this.#client.sessionCookie, 'new-api-user': String(this.#client.userId) }
  }

  async renew(): Promise<void> {
    if ((await this.#client.call('GET', '/api/user/self')).success) return
    this.#client = await this.#join()
  }
}

export async function fuzzCallers(app: App): Promise<FuzzCaller[]> {
  let made = 0
  const root = () => new ApiClient(app.url).signIn(rootAccount.username, rootAccount.password)
  const customer = async () => addCustomer(await root(), `fuzz-${++made}`, 2_000_000_000)
  const admin = async () => {
    const { id, username } = await customer()
    await (await root()).post('/api/user/manage', { id, action: 'promote' })
    return new ApiClient(app.url).signIn(username, customerPassword)
  }
  const plain = async () => (await customer()).client
  const buyer: Customer = await customer()
  const bearer = { authorization: `Bearer ${buyer.key}` }
  return [
    { name: 'nobody', headers: () => ({}), renew: () => Promise.resolve() },
    { name: 'a key', headers: () => bearer, renew: () => Promise.resolve() },
    new SignedIn('a customer', await plain(), plain),
    new SignedIn('an admin', await admin(), admin),
    new SignedIn('the super admin', await root(), root),
  ]
}
