/** A Redis, and the prefix of this installation's names there: others may use the same Redis. */
export interface RedisPlace {
  url: string
  /** Part of every name, including channels of messages, since pub/sub does not know Redis's numbered databases. */
  installation: string
}
