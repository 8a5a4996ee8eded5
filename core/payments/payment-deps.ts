import type { OptionService } from '../contract/options.ts'
import type { PaymentProvider } from '../contract/payment.ts'
import type {
  DatabaseService,
  LedgerService,
  Logger,
  LogService,
  NotificationService,
  SecretService,
} from '../contract/services.ts'

/** Credits, closes and takes back orders. */
export interface SettleDeps {
  database: DatabaseService
  ledger: LedgerService
  logs: LogService
  options: OptionService
  notifications: NotificationService
  log: Logger
}

/** Quotes and places orders. */
export interface PayDeps extends SettleDeps {
  secrets: SecretService
  providers: readonly PaymentProvider[]
}
