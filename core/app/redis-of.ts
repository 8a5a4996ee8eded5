import type { DatabaseService } from '../contract/services.ts'
import { redisPlace, type RedisPlace } from '../cluster/redis-place.ts'
import { installationOf } from '../secrets/check-master-key.ts'

/** Undefined if no Redis is configured. The id of the installation is known after its first start. */
export async function redisOf(
  { redisUrl }: { redisUrl: string },
  database: DatabaseService,
): Promise<RedisPlace | undefined> {
  if (redisUrl === '') return undefined
  return redisPlace(redisUrl, await installationOf(database))
}
