// A gateway for one test file: channels to one scripted upstream, prices, and a customer who calls.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type App, type AppOptions, startApp } from './app.ts'
import { type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'
import {
  addChannel,
  addCustomer,
  consumptionRows,
  type Customer,
  setPrices,
  type ShownLog,
} from './shop.ts'

export interface RelayRoomSetup {
  /** Created in this order; all lead to the upstream. */
  channels?: readonly { models: string; type?: number; [field: string]: unknown }[]
  /** Models that cost one unit per token. */
  priced?: readonly string[]
  customer: string
  balance?: number
  /** Each test gets its own customer. */
  isAnew?: boolean
  /** Plugins to switch on that are off at first. */
  plugins?: readonly string[]
  env?: AppOptions['env']
  /** False: the gateway is a process of its own, for tests of its log, of signals, or of variables that are not the gateway's. */
  isWithin?: boolean
}

export interface RelayRoom {
  readonly app: App
  readonly upstream: ScriptedUpstream
  readonly customer: Customer
  /** Sends a call as the customer. A body that is neither text nor a form is sent as JSON. */
  post(path: string, body: object | string, headers?: Record<string, string>): Promise<Response>
  /** The charge of the customer's newest call.
   *  @throws Error if it has no row */
  lastRow(): Promise<ShownLog>
}

const rich = 10_000_000

/** Opens before the tests of the file that calls it, and closes after them. */
export function relayRoom(setup: RelayRoomSetup): RelayRoom {
  const opened: { app?: App; upstream?: ScriptedUpstream; customer?: Customer } = {}
  let number = 0
  const room: RelayRoom = {
    get app() {
      return known(opened.app)
    },
    get upstream() {
      return known(opened.upstream)
    },
    get customer() {
      return known(opened.customer)
    },
    post: (path, body, headers = {}) => postAs(room, path, body, headers),
    lastRow: async () => known((await consumptionRows(room.app.root, room.customer.username))[0]),
  }
  const enter = async () => {
    number += 1
    const name = setup.isAnew ? `${setup.customer}-${number}` : setup.customer
    opened.customer = await addCustomer(room.app.root, name, setup.balance ?? rich)
  }
  beforeAll(async () => {
    opened.upstream = await scriptedUpstream()
    const { env = {}, plugins = [], isWithin = true } = setup
    opened.app = await startApp({ env, plugins, isWithin })
    await furnish(room, setup)
    if (!setup.isAnew) await enter()
  })
  if (setup.isAnew) beforeEach(enter)
  afterAll(async () => {
    await opened.app?.close()
    await opened.upstream?.close()
  })
  return room
}

async function furnish({ app, upstream }: RelayRoom, setup: RelayRoomSetup): Promise<void> {
  for (const channel of setup.channels ?? []) {
    await addChannel(app.root, { base_url: upstream.url, ...channel })
  }
  if (setup.priced) await setPrices(app.root, setup.priced, 1)
}

function postAs(
  { app, customer }: RelayRoom,
  path: string,
  body: object | string,
  headers: Record<string, string>,
): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(app.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm || typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the room is not open yet, or the call has no row')
  return value
}
