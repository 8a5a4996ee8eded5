import type { Job, PluginServices } from '#core'

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

/** On behalf of the first super admin, in whose name the log rows stand. */
async function testAll({ accounts, channels }: PluginServices): Promise<void> {
  const root = await accounts.find(await accounts.firstRootId())
  if (root !== undefined) await channels.testAll(root)
}
