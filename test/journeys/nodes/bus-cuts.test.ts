// A few of the cuts in bus-cuts.ts: what changes while the transports are away is known to all nodes in the end.
import { describeCuts } from './bus-cuts.ts'

describeCuts({ cuts: 6, limitMs: 120_000 })
