import type { ChannelStanding, NodeFigures } from '#core'

/** GET /api/live, for admins. */
export interface LiveFigures {
  /** The process that answers comes first. */
  nodes: NodeFigures[]
  channels: ChannelStanding
}
