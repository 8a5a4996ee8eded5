import { AppError, type Job, type PluginServices } from '#core'

const idleMs = 60_000

/** The runs over all channels at the admin's intervals; 0 minutes switches one off. */
export function channelJobs(services: PluginServices): Job[] {
  return [
    everyMinutes('channel-test', 'ChannelTestFrequency', services, () => testAll(services)),
    everyMinutes('channel-balance', 'ChannelUpdateFrequency', services, () =>
      services.channels.updateAllBalances(),
    ),
  ]
}

function everyMinutes(
  id: string,
  option: string,
  { options }: PluginServices,
  run: () => Promise<void>,
): Job {
  const minutes = () => options.get<number>(option)
  return {
    id,
    isLeaderOnly: true,
    // Switched off it looks again each minute, so that switching it on takes effect soon.
    everyMs: () => (minutes() > 0 ? minutes() * 60_000 : idleMs),
    run: async () => {
      if (minutes() > 0) await run()
    },
  }
}

/** On behalf of the first super admin, in whose name the log rows stand. A run that is still under way goes on, and the next one is as
 *  late as if there had been none. */
async function testAll({ accounts, channels }: PluginServices): Promise<void> {
  const root = await accounts.find(await accounts.firstRootId())
  if (root === undefined) return
  await channels.testAll(root, true).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'channel.test_running')) throw error
  })
}
