import { closeAll } from '../app/close-all.ts'
import { readSettings } from '../app/configuration.ts'
import type { GatewaySettings } from '../app/gateway-settings.ts'
import { assemble } from '../main.ts'

type Assembled = Awaited<ReturnType<typeof assemble>>

/** Works with the gateway that the environment describes, which serves nobody, and closes it. On SQLite no other may be running.
 *  @param own settings in place of those of the environment */
export async function withGateway<T>(
  work: (gateway: Assembled) => T | Promise<T>,
  own: Partial<GatewaySettings> = {},
): Promise<T> {
  const settings = { ...readSettings(), logLevel: 'error', ...own }
  const gateway = await assemble(settings, { isServing: false })
  const { host, services, releaseDataDir } = gateway
  try {
    return await work(gateway)
  } finally {
    await closeAll([() => host.close(), () => services.close()]).finally(releaseDataDir)
  }
}
