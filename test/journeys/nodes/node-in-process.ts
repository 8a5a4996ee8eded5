// A node of a cluster in the process of the test, which can look into it.
import { readEnvironment } from '../../../config/environment.ts'
import { settingsOf } from '../../../config/settings.ts'
import { assemble } from '../../../core/main.ts'

export type Node = Awaited<ReturnType<typeof assemble>>

const version = '0.0.0-test'

/** @param env DATA_DIR at the least */
export function startNode(env: Record<string, string>, redisUrl = ''): Promise<Node> {
  const environment = readEnvironment({ SECRET_KEY: '00'.repeat(32), ...env })
  return assemble({ ...settingsOf(environment, version), redisUrl, logLevel: 'silent' })
}

export async function closeNode({ host, services, releaseDataDir }: Node): Promise<void> {
  await host.close()
  await services.close()
  releaseDataDir()
}
