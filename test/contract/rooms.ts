// All rooms, by document, in the order in which one gateway goes through them.
import { conventionsRoom } from './accounts/conventions.ts'
import { dashboardRoom } from './accounts/dashboard.ts'
import { optionsRoom } from './accounts/options.ts'
import { ownAccountRoom } from './accounts/own-account.ts'
import { providersRoom } from './accounts/providers.ts'
import { publicRoom } from './accounts/public.ts'
import { registrationRoom } from './accounts/registration.ts'
import { usersRoom } from './accounts/users.ts'
import { walletRoom } from './accounts/wallet.ts'
import { channelStories } from './operations/channel-stories.ts'
import { channelsRoom } from './operations/channels.ts'
import { logsRoom } from './operations/logs.ts'
import { offersRoom } from './operations/offers.ts'
import { redemptionsRoom } from './operations/redemptions.ts'
import { tasksRoom } from './operations/tasks.ts'
import { tokensRoom } from './operations/tokens.ts'
import { upstreamsRoom } from './operations/upstreams.ts'
import type { Room } from './table.ts'

/** What looks at defaults comes before what changes them. */
export const accountRooms: readonly Room[] = [
  publicRoom,
  optionsRoom,
  conventionsRoom,
  ownAccountRoom,
  usersRoom,
  dashboardRoom,
  walletRoom,
  registrationRoom,
  providersRoom,
]

export const operationRooms: readonly Room[] = [
  channelsRoom,
  channelStories,
  upstreamsRoom,
  tokensRoom,
  redemptionsRoom,
  logsRoom,
  tasksRoom,
  offersRoom,
]
