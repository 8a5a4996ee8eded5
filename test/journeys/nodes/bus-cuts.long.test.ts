// Hundreds of the cuts in bus-cuts.ts.
import { describeCuts } from './bus-cuts.ts'

describeCuts({ cuts: 600, limitMs: 1_200_000 })
