// What the handling of orders needs, and the references under which the ledger knows them.
import type { OptionService } from '../contract/options.ts'
import type {
  DatabaseService,
  LedgerService,
  Logger,
  LogService,
  NotificationService,
} from '../contract/services.ts'
import type { TopUpRow } from '../data/models/top-up.ts'

export interface SettleDeps {
  database: DatabaseService
  ledger: LedgerService
  logs: LogService
  options: OptionService
  notifications: NotificationService
  log: Logger
}

/** The ledger's reference of the credit; `ledger verify` compares both. */
export function refOf({ trade_no }: Pick<TopUpRow, 'trade_no'>): string {
  return `order:${trade_no}`
}
