import type { ConsolePlugin } from '#console'
import { priceKeys } from './price-maps.ts'

export default {
  settings: [
    {
      id: 'prices',
      tab: 'operation',
      section: 'prices',
      options: priceKeys,
      load: () => import('./prices-part.tsx'),
    },
  ],
} satisfies ConsolePlugin
