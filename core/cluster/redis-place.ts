/** A Redis, and whose names these are there: others may share it. */
export interface RedisPlace {
  url: string
  /** Stands in every name, also in those of messages, which know no databases of a Redis. */
  installation: string
}
