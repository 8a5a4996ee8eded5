import { describeCuts } from './bus-cuts.ts'

describeCuts({ turns: 4, limitMs: 120_000 })
