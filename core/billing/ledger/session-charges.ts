import type { LogRow, Reservation } from '../../contract/money-services.ts'
import type { LogRedaction } from '../../secrets/log-redaction.ts'
import type { BatchItem } from './ledger-batch.ts'
import { forgetSession, keepSession } from './open-sessions-sql.ts'

interface Charge {
  units: number
  channelId: number
}

/** The parts of the ledger that charge sessions. */
interface SessionParts {
  nodeId: string
  redaction: LogRedaction | undefined
  settle(
    reservation: Reservation,
    charge: Charge & Pick<BatchItem, 'alongside'> & { mayBeLetGo: true },
  ): Promise<void>
  release(reservation: Reservation): Promise<void>
  add(item: BatchItem & { mayBeLetGo: true }): Promise<void>
}

/** Charges of sessions: many charges with one log row at the end. If the process is killed, another node writes the row. */
export class SessionCharges {
  readonly #parts: SessionParts
  #rejoins = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** How often other nodes took this one for dead and wrote the log rows of its sessions. */
  get rejoins(): number {
    return this.#rejoins
  }

  rejoined(): void {
    this.#rejoins += 1
  }

  /** @param soFar the session's log row as it would be if this were its last charge */
  async settle(reservation: Reservation, charge: Charge, soFar: LogRow | undefined): Promise<void> {
    const { nodeId, redaction } = this.#parts
    const clean = soFar && (redaction?.row(soFar) ?? soFar)
    const alongside = clean && [keepSession(nodeId, clean)]
    await this.#parts.settle(reservation, { ...charge, alongside, mayBeLetGo: true })
  }

  /** Releases the remaining reservation and writes the log row in place of the stored one. */
  async finish(
    { requestId, held }: { requestId: string; held: Reservation | undefined },
    log: LogRow | undefined,
  ): Promise<void> {
    if (held !== undefined) await this.#parts.release(held)
    await this.#parts.add({ log, alongside: [forgetSession(requestId)], mayBeLetGo: true })
  }
}
