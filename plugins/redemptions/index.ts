import { definePlugin } from '#core'
import { importCodes } from './import-codes.ts'
import { migrations } from './migrations.ts'
import { redemptionRoutes } from './routes.ts'
import { verifyCodes } from './verify-codes-report.ts'

/** Codes worth quota: created by admins, redeemed once. */
export default definePlugin({
  id: 'redemptions',
  summary: { en: 'Redemption codes', zh: '兑换码' },
  migrations,
  cliCommands: [
    {
      id: 'verify',
      summary: 'Proves that each used code was credited once.',
      run: (_args, { database }, print) => verifyCodes(database, print),
    },
  ],
  server(services) {
    services.routes.add((app) => redemptionRoutes(app, services))
    services.imports.add({
      id: 'redemptions',
      take: (rows, context) => importCodes(services, rows, context),
    })
    services.statusFields.add({ id: 'enable_redemption', value: () => true })
  },
})
